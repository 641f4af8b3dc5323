import { refAutoReset } from '@vueuse/core';
import { watch, type Ref } from 'vue';
import { announce } from './announce.ts';
import { useToasts } from './toasts.ts';

/**
 * Copies a text; falls back to a selection where the clipboard API is not available.
 * @throws {Error} if neither works
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Not allowed here (no focus, no permission): the selection below works without either.
    }
  }
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  // The area has the focus only for a moment, so it is not a place to return to.
  area.addEventListener('focusin', (event) => event.stopPropagation());
  // While a modal dialog is open, nothing outside of it can be selected, so append the area there.
  ([...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error('This browser does not let the page copy. Select the text, and copy it by hand.');
}

/**
 * Copies a text, and reports a failure in a toast.
 * @returns whether it was copied
 */
export async function tryCopy(text: string): Promise<boolean> {
  const report = useToasts().begin();
  try {
    await copyText(text);
    return true;
  } catch (error) {
    report.refuse(`Not copied. ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

/** Whether a button has just copied, which is announced. Once set to true, it becomes false again after 1.5 s. */
export function useCopied(): Ref<boolean> {
  const copied = refAutoReset(false, 1_500);
  watch(copied, (is) => is && announce('Copied'));
  return copied;
}

import { refAutoReset } from '@vueuse/core';
import { watch, type Ref } from 'vue';
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

/** Milliseconds for which a button says that it has copied. */
const shownFor = 1_500;
/** “Copied” while a button shows it. The frame announces it: a screen reader may not, if only the button changes. */
export const saysCopied = refAutoReset('', shownFor);

/** Whether a button has just copied. Once set to true, it becomes false again after 1.5 s. */
export function useCopied(): Ref<boolean> {
  const copied = refAutoReset(false, shownFor);
  watch(copied, (is) => is && (saysCopied.value = 'Copied'));
  return copied;
}

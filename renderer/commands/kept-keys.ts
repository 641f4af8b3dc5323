import { useEventListener } from '@vueuse/core';
import { nextTick, onScopeDispose, watch } from 'vue';

/** Keys pressed before their target was there, in order. They act once it is there. */
const kept: KeyboardEvent[] = [];
let holds = 0;
let pressing = false;
let keptAgain = false;

/** Keeps a key event until `pressKept` runs. */
export function keepKey(event: KeyboardEvent): void {
  event.preventDefault();
  if (event.isTrusted) return void kept.push(event);
  kept.unshift(event);
  keptAgain = true;
}

/** Forgets the kept keys, because the person went on to something else. */
export function forgetKeys(): void {
  kept.length = 0;
}

/** While `isHeld()` is true, keeps keys of views that no component listens for yet. */
export function holdKeys(isHeld: () => boolean): void {
  let held = false;
  const set = (now: boolean): void => {
    if (now === held) return;
    held = now;
    holds += now ? 1 : -1;
    if (!now) void nextTick(pressKept);
  };
  watch(isHeld, set, { immediate: true });
  onScopeDispose(() => set(false));
}

/** Replays the kept keys one by one, until one has to wait again. */
export async function pressKept(): Promise<void> {
  if (pressing) return;
  pressing = true;
  keptAgain = false;
  for (let event = kept.shift(); event; event = keptAgain ? undefined : kept.shift()) {
    press(event);
    // Let the page update before the next key, as it does between a person's keys.
    await new Promise((resolve) => setTimeout(resolve));
  }
  pressing = false;
}

/**
 * Called once, by the frame. While `holdKeys` says so, keeps each key without a listener and all keys after it, so that
 * they act in the order in which they were pressed.
 * @param isOfViews whether a key is one that views listen for
 */
export function useKeptKeys(isOfViews: (event: KeyboardEvent) => boolean): void {
  const hasModifier = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey || event.altKey;
  useEventListener(
    window,
    'keydown',
    (event) => {
      if (!event.isTrusted || (kept.length === 0 && !pressing)) return;
      if (hasModifier(event)) return forgetKeys();
      if (event.key === 'Tab' || event.key === 'Shift') return;
      event.stopImmediatePropagation();
      keepKey(event);
    },
    { capture: true },
  );
  useEventListener(window, 'keydown', (event) => {
    if (holds > 0 && !event.defaultPrevented && isOfViews(event)) keepKey(event);
  });
  useEventListener(window, 'pointerdown', forgetKeys, { capture: true });
}

function press({ key, code, repeat, shiftKey, ctrlKey, metaKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const isText = /^(?:INPUT|TEXTAREA)$/.test(target.tagName);
  // A synthetic key event does not type, so insert the character here.
  if (isText && key.length === 1 && !ctrlKey && !metaKey) document.execCommand('insertText', false, key);
  else
    target.dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        code,
        repeat,
        shiftKey,
        ctrlKey,
        metaKey,
        bubbles: true,
        cancelable: true,
        composed: true,
      }),
    );
}

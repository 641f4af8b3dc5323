import { useEventListener } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

const begun = shallowRef<string | null>(null);
/** The first key of a chord, while it waits for the second: the window shows it, so it waits for as long as it takes. */
export const chordBegun: Readonly<ShallowRef<string | null>> = begun;
/** What an event means that ends a chord or begins one: `g r`; null for the first key, which does nothing yet. */
const meanings = new WeakMap<KeyboardEvent, string | null>();

/** Forgets the first key of a chord. */
export function endChord(): void {
  begun.value = null;
}

/** The key of an event, with the one before it if both are a chord; null if it only begins one. */
export function toPressed(event: KeyboardEvent, key: string): string | null {
  const meaning = meanings.get(event);
  return meaning === undefined ? key : meaning;
}

/**
 * For the frame, once: reads two keys, one after the other, as a chord. A second key that makes none does nothing: who
 * began a chord does not mean what the key does alone.
 * @param keyOf the key of an event; null while only a modifier is down
 * @param begins whether a key is the first one of a chord, and nothing that has the focus needs it
 */
export function useChords(
  keyOf: (event: KeyboardEvent) => string | null,
  begins: (event: KeyboardEvent, key: string) => boolean,
): void {
  useEventListener(
    window,
    'keydown',
    (event) => {
      const key = keyOf(event);
      if (key === null) return;
      const first = begun.value;
      if (first === null && !begins(event, key)) return;
      endChord();
      if (first === null) {
        meanings.set(event, null);
        begun.value = key;
      } else if (!key.startsWith('Mod+') && key !== 'Tab') meanings.set(event, `${first} ${key}`);
    },
    { capture: true },
  );
  useEventListener(window, 'pointerdown', endChord, { capture: true });
  useEventListener(window, 'blur', endChord);
  onScopeDispose(endChord);
}

import { useEventListener } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';

const begun = shallowRef<string | null>(null);
/** The first key of a chord while it waits for the second. The window shows it, so it needs no timeout. */
export const chordBegun: Readonly<ShallowRef<string | null>> = begun;
/** For events that belong to a chord: the whole chord (`g r`), or null for its first key, which does nothing yet. */
const meanings = new WeakMap<KeyboardEvent, string | null>();

/** Forgets the first key of a chord. */
export function endChord(): void {
  begun.value = null;
}

/** The key of an event, as a whole chord if it completes one; null if it only begins one. */
export function toPressed(event: KeyboardEvent, key: string): string | null {
  const meaning = meanings.get(event);
  return meaning === undefined ? key : meaning;
}

/**
 * Called once, by the frame: reads two successive keys as a chord. A second key that completes no chord does nothing,
 * because a person who began a chord does not mean what that key does alone.
 * @param keyOf the key of an event; null while only a modifier is down
 * @param begins whether a key begins a chord and the focused element does not need it
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

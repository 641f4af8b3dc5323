import type { Ref } from 'vue';
import { isListOf, keepNow, useKept, type Check } from '../browser-storage.ts';
import { useToasts } from './toasts.ts';

/**
 * Values that a person keeps under names. Each change returns a function that undoes only that change; null if the
 * value was not kept, because of `noRoom`.
 */
export interface Named<One> {
  readonly all: Ref<readonly One[]>;
  /** Replaces a value with the same name, at its place. */
  save(one: One): (() => void) | null;
  forget(name: string): (() => void) | null;
}

/** Why a value was not kept. */
export const noRoom =
  'This browser has no room for it. Delete what is saved and not needed, or save something smaller.';

/** @param storage the name of its entry in this browser */
export function useNamed<One extends { readonly name: string }>(storage: string, is: Check<One>): Named<One> {
  const all = useKept<readonly One[]>(storage, [], isListOf(is));
  const toasts = useToasts();

  /** @param place the position for a name that is not there yet */
  function put(name: string, one: One | null, place = all.value.length): (() => void) | null {
    const before = all.value.find((each) => each.name === name) ?? null;
    const at = before === null ? place : all.value.indexOf(before);
    const next = all.value.toSpliced(at, before === null ? 0 : 1, ...(one === null ? [] : [one]));
    if (!keepNow(storage, next)) return null;
    all.value = next;
    return () => void (put(name, before, at) ?? toasts.refuse(`Not undone: ${noRoom}`));
  }
  return { all, save: (one) => put(one.name, one), forget: (name) => put(name, null) };
}

import type { Ref } from 'vue';
import { isListOf, keepNow, useKept, type Check } from '../browser-storage.ts';
import { useToasts } from './toasts.ts';

/** What a person keeps under names. Each change returns what undoes it, and nothing else; null if it was not kept: `noRoom`. */
export interface Named<One> {
  readonly all: Ref<readonly One[]>;
  /** What has the same name is replaced, in its place. */
  save(one: One): (() => void) | null;
  forget(name: string): (() => void) | null;
}

/** Why something was not kept. */
export const noRoom =
  'This browser has no room for it. Delete what is saved and not needed, or save something smaller.';

/** @param storage the name of its entry in this browser */
export function useNamed<One extends { readonly name: string }>(storage: string, is: Check<One>): Named<One> {
  const all = useKept<readonly One[]>(storage, [], isListOf(is));
  const toasts = useToasts();

  /** @param place where it goes if nothing has the name */
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

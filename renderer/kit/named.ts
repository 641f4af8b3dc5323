import type { Ref } from 'vue';
import { isListOf, useKept, type Check } from '../kept.ts';

/** What a person keeps under names. Each change returns what undoes it, and nothing else. */
export interface Named<One> {
  readonly all: Ref<readonly One[]>;
  /** What has the same name is replaced, in its place. */
  save(one: One): () => void;
  forget(name: string): () => void;
}

/** @param storage the name of its entry in this browser */
export function useNamed<One extends { readonly name: string }>(storage: string, is: Check<One>): Named<One> {
  const all = useKept<readonly One[]>(storage, [], isListOf(is));

  /** @param place where it goes if nothing has the name */
  function put(name: string, one: One | null, place = all.value.length): () => void {
    const before = all.value.find((each) => each.name === name) ?? null;
    const at = before === null ? place : all.value.indexOf(before);
    all.value = all.value.toSpliced(at, before === null ? 0 : 1, ...(one === null ? [] : [one]));
    return () => void put(name, before, at);
  }
  return { all, save: (one) => put(one.name, one), forget: (name) => put(name, null) };
}

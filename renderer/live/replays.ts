import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** The requests that were sent again while this page is open, with their originals. */
export const useReplays = defineStore('replays', () => {
  const originals = shallowRef<ReadonlyMap<string, string>>(new Map());

  function add(replay: string, original: string): void {
    originals.value = new Map(originals.value).set(replay, original);
  }

  const originalOf = (id: string): string | null => originals.value.get(id) ?? null;
  const replaysOf = (id: string): readonly string[] =>
    [...originals.value].filter(([, original]) => original === id).map(([replay]) => replay);

  return { add, originalOf, replaysOf };
});

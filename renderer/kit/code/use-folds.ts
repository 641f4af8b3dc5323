import { computed, shallowRef } from 'vue';
import type { Line } from '../../http-text/json-lines.ts';

/** With more lines than this, all can be folded at once. */
const fewLines = 12;

/** The folded values of a text in lines, by the numbers of the lines that begin them. */
export function useFolds(lines: () => readonly Line[]) {
  const folds = shallowRef<ReadonlySet<number>>(new Set());
  /** The lines that are inside no folded value. */
  const visible = computed(() => {
    if (folds.value.size === 0) return lines();
    const kept: Line[] = [];
    let hiddenUntil = 0;
    for (const line of lines()) {
      if (line.number < hiddenUntil) continue;
      kept.push(line);
      if (folds.value.has(line.number) && line.closes !== null) hiddenUntil = line.closes;
    }
    return kept;
  });
  /** The foldable lines directly inside the outermost value. */
  const outer = computed(() => lines().filter(({ closes, depth }) => closes !== null && depth === 1));
  return {
    visible,
    isFolded: ({ number }: Line): boolean => folds.value.has(number),
    hasFolded: computed(() => folds.value.size > 0),
    canFoldAll: computed(() => lines().length > fewLines && outer.value.length > 0),
    /** Folds the value that a line begins, or unfolds it. */
    fold({ number }: Line): void {
      const next = new Set(folds.value);
      if (!next.delete(number)) next.add(number);
      folds.value = next;
    },
    /** Folds everything inside the outermost value, or unfolds all if anything is folded. */
    foldAll(): void {
      folds.value = new Set(folds.value.size > 0 ? [] : outer.value.map(({ number }) => number));
    },
    unfoldAll(): void {
      folds.value = new Set();
    },
  };
}

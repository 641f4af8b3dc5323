import { toShownValue } from './issues.ts';
import type { XrayExample } from './shapes.ts';

/** Counts places, and keeps the first ones. */
export function createExamples(most: number) {
  const examples: XrayExample[] = [];
  let count = 0;
  return {
    add(line: number, pointer: string, value: unknown): void {
      count += 1;
      if (count <= most) examples.push({ line, pointer, value: toShownValue(value) });
    },
    all: (): { readonly count: number; readonly examples: readonly XrayExample[] } => ({ count, examples }),
  };
}

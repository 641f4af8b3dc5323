import { toShownValue } from './issues.ts';

export interface XrayExample {
  readonly line: number;
  readonly pointer: string;
  readonly value: string | null;
}

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

type Counts = { readonly [kind: string]: number };

/** The number of records of a kind, before and after. */
export interface Delta {
  readonly kind: string;
  readonly before: number;
  readonly after: number;
}

/** The kinds whose number of records changed. */
export function toDeltas(before: Counts, after: Counts): readonly Delta[] {
  return Object.keys({ ...before, ...after })
    .map((kind) => ({ kind, before: before[kind] ?? 0, after: after[kind] ?? 0 }))
    .filter((delta) => delta.before !== delta.after);
}

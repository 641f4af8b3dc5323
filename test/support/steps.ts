/** Counts what a person does: a click, a key, or a line that is typed and sent is one step. */
export interface Steps {
  do(step: () => Promise<unknown>): Promise<void>;
  readonly count: number;
}

export function createSteps(): Steps {
  let count = 0;
  return {
    async do(step) {
      count += 1;
      await step();
    },
    get count() {
      return count;
    },
  };
}

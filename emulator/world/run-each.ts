/**
 * Runs steps one after the other, also those after one that failed: what ends an emulator has to end all of it.
 * @throws what a step threw, when all have run; an AggregateError with all their messages if several did
 */
export async function runEach(steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, failures.map((one) => (one instanceof Error ? one.message : one)).join('; '));
}

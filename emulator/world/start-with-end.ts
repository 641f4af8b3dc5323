import { reasonOf } from '../errors.ts';
import { toUnwritable } from '../store/errors.ts';

/**
 * Runs steps one after the other, also the steps after one that failed: all parts of an emulator must end.
 * @throws the error of a step, when all have run; an AggregateError with all messages if several steps failed
 */
async function runEach(steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(reasonOf).join('; '));
}

/** The steps that end the started parts, in the order of the starts. They run in reverse order. */
export interface Ending {
  readonly steps: (() => Promise<void> | void)[];
  /** Whether it ends a start that failed. */
  readonly hasFailed: boolean;
}

/**
 * Starts parts. If one cannot be started, it ends those that were. If ending fails too, it gives a notice: an exception
 * would hide why the start failed.
 * @throws the error of `start`; a StoreError if the system refuses to use the data folder
 */
export async function startWithEnd<R extends object>(
  { dataDir, onNotice }: { readonly dataDir: string | null; readonly onNotice: (text: string) => void },
  start: (ending: Ending) => Promise<R>,
): Promise<R & { readonly close: () => Promise<void> }> {
  const ending = { steps: [] as Ending['steps'], hasFailed: false };
  const close = (): Promise<void> => runEach(ending.steps.splice(0).reverse());
  try {
    return { ...(await start(ending)), close };
  } catch (error) {
    ending.hasFailed = true;
    await close().catch((later: unknown) => onNotice(`It could not end cleanly: ${reasonOf(later)}`));
    throw dataDir === null ? error : toUnwritable(dataDir, 'used', error);
  }
}

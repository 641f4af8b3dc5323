import { reasonOf } from '../errors.ts';
import { toUnwritable } from '../store/errors.ts';

/**
 * Runs steps one after the other, also those after one that failed: what ends an emulator has to end all of it.
 * @throws what a step threw, when all have run; an AggregateError with all their messages if several did
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

/** What ends the parts that were started, the last first. */
export interface Ending {
  readonly steps: (() => Promise<void> | void)[];
  /** Whether it is that of a start that failed. */
  readonly hasFailed: boolean;
}

/**
 * Starts parts, and ends those that were started if one cannot be. That this fails too is a notice: thrown, it would hide why the
 * start failed.
 * @throws what `start` throws; StoreError for what the system refuses of the data folder
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

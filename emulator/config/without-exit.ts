import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether what runs now is such work, or was called by it. */
const guarded = new AsyncLocalStorage<true>();
let running = 0;
let exit = process.exit;

/**
 * Runs the code of a user so that its `process.exit` throws: it would end the process before it did anything, as if all were
 * done. `process.exit` of anything else still ends the process, and is itself again when no such work runs.
 */
export async function withoutExit<R>(work: () => Promise<R>): Promise<R> {
  if (running === 0) {
    ({ exit } = process);
    process.exit = (...code) => {
      if (guarded.getStore()) throw new Error('it calls process.exit. Leave that out.');
      return exit(...code);
    };
  }
  running += 1;
  try {
    return await guarded.run(true, work);
  } finally {
    running -= 1;
    if (running === 0) {
      process.exit = exit;
      // Before Node 24, each promise of the process costs more until then.
      guarded.disable();
    }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';

/** Set for the code of a user that runs now, and for everything that it calls. */
const guarded = new AsyncLocalStorage<true>();
let running = 0;
let exit = process.exit;

/**
 * Runs the code of a user so that its `process.exit` throws. It would otherwise end the process before anything was
 * done, as if everything were done. Other calls of `process.exit` still end the process. The original function is
 * restored when no such work runs.
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
      // Before Node 24, each promise of the process costs more until the storage is disabled.
      guarded.disable();
    }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that all asynchronous work of a call can read, without being passed along. */
export interface AsyncContext<T> {
  /** Runs work with the value; what the work leaves running may lose it when this settles. */
  run<R>(value: T, work: () => Promise<R>): Promise<R>;
  /** Undefined outside such work. */
  current(): T | undefined;
}

/**
 * Creates a context that is switched off while no call runs. Node before 24 goes through every `AsyncLocalStorage` that was
 * ever used whenever a promise is made, everywhere in the process: one makes an `await` three times slower, and those that the
 * sandboxes of a test run would leave behind, hundreds of times.
 */
export function createAsyncContext<T>(): AsyncContext<T> {
  const storage = new AsyncLocalStorage<T>();
  let running = 0;
  return {
    async run(value, work) {
      running += 1;
      try {
        return await storage.run(value, work);
      } finally {
        running -= 1;
        if (running === 0) storage.disable();
      }
    },
    current: () => storage.getStore(),
  };
}

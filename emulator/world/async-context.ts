import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that all asynchronous work of a call can read, without being passed along. */
export interface AsyncContext<T> {
  /** Runs work with the value. Work that is left running may lose the value when this settles. */
  run<R>(value: T, work: () => Promise<R>): Promise<R>;
  /** The value of the present work; undefined outside such work. */
  current(): T | undefined;
}

/**
 * Creates a context that is switched off while no call runs. For each new promise anywhere in the process, Node before
 * 24 visits every `AsyncLocalStorage` that was ever used. One storage makes an `await` three times slower; those that
 * the sandboxes of a test run would leave behind make it hundreds of times slower.
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

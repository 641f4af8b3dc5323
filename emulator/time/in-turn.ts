/**
 * Creates a function that runs tasks one after the other, in the order of the calls. A failed task does not stop the
 * next one: only its own caller gets the error.
 */
export function createInTurn(): <R>(work: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

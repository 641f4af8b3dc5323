/**
 * Creates what does one work after the other, in the order in which they were asked for, also after one that fails: only its
 * own caller gets its error.
 */
export function createInTurn(): <R>(work: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/**
 * Measures the processor time of each turn of the event loop while `work` runs, in microseconds. Other programs on a
 * busy machine do not count.
 */
async function turnsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const turns: number[] = [];
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    turns.push(user + system);
    before = process.cpuUsage();
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  clearImmediate(next);
  return turns;
}

/**
 * The share of all processor time that the longest turn of the event loop took. It is the least of several runs, up to
 * the first that is below `limit`: the garbage collector may lengthen any turn of one run, but a long step of the code
 * is in each run.
 */
export async function longestShare(limit: number, work: () => Promise<unknown>): Promise<number> {
  let least = 1;
  for (let run = 0; run < 5 && least >= limit; run += 1) {
    const turns = await turnsOf(work);
    // Not `Math.max(...turns)`: a slow machine makes more turns than a call takes arguments.
    const [sum, longest] = turns.reduce(([all, most], one) => [all + one, Math.max(most, one)], [0, 0]);
    least = Math.min(least, longest / sum);
  }
  return least;
}

/** The processor time of each turn of the event loop while `work` runs, in microseconds: other programs on a busy machine do not count. */
export async function turnsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
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

/** What the longest turn took of all. */
export function longestShare(turns: readonly number[]): number {
  return Math.max(...turns) / turns.reduce((sum, one) => sum + one, 0);
}

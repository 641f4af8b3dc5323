import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What the other process does over and over until it is stopped. */
export type Neighbour = 'parse a file' | 'save a state';

/**
 * Measures a server while another process works: what the cores and the disk of the machine alone do to its p99. What the
 * server does beside its answers can hardly be felt less than that.
 * @param path the file to parse, or the data folder to save, which nothing else may use
 */
export async function beside<R>(work: Neighbour, path: string, measure: () => Promise<R>): Promise<R> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/neighbour-main.ts', work, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      ended.then(() => {
        throw new Error(`The process that was to ${work} ended early.`);
      }),
    ]);
    return await measure();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

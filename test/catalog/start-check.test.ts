import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCheck } from '../../emulator/features/catalog/check/start-check.ts';
import type { CheckOptions } from '../../emulator/features/catalog/check/report.ts';
import { JobCancelled } from '../../emulator/features/catalog/job.ts';
import { freshFolder, product, toFile } from './support.ts';
import { workerUrl } from '../support/built.ts';

async function file(content: string): Promise<{ folder: string; options: CheckOptions }> {
  const folder = await freshFolder();
  const path = join(folder, 'file.ndjson');
  await writeFile(path, content);
  const options = { path, issuesPath: join(folder, 'issues'), goodPath: join(folder, 'good'), savedDir: null };
  return { folder, options };
}

/** Twelve megabytes: enough work to report progress. */
const muchWork = (): string =>
  toFile(Array.from({ length: 20_000 }, (_, i) => product(`p-${i}`, { brand: 'b'.repeat(200) })));

test('a worker returns the report and reports its progress', async () => {
  const { folder, options } = await file(`${toFile([product('p')])}${`${'x'.repeat(1024 * 1024)}\n`.repeat(20)}`);
  const told: number[] = [];
  const { done } = startCheck(options, { workerUrl: workerUrl(), onProgress: ({ bytes }) => told.push(bytes) });
  expect(await done).toMatchObject({ lines: 21, goodLines: 1, counts: { 'catalog.not-json': 20 } });
  expect(told.length).toBeGreaterThan(1);
  expect(told.at(-1)).toBeGreaterThan(20 * 1024 * 1024);
  expect(await readdir(folder)).toEqual(['file.ndjson', 'good', 'issues']);
});

test('the main thread keeps answering while a file is checked', async () => {
  const { options } = await file(muchWork());
  const state = { isDone: false };
  const job = startCheck(options, { workerUrl: workerUrl() });
  const finished = job.done.finally(() => {
    state.isDone = true;
  });
  let turns = 0;
  while (!state.isDone) {
    await nextTurn();
    turns += 1;
  }
  expect((await finished).goodLines).toBe(20_000);
  expect(turns).toBeGreaterThan(1000);
});

test('a cancelled check says so and leaves no file behind', async () => {
  const { folder, options } = await file(muchWork());
  const job = startCheck(options, { workerUrl: workerUrl(), onProgress: () => job.cancel() });
  await expect(job.done).rejects.toBeInstanceOf(JobCancelled);
  expect(await readdir(folder)).toEqual(['file.ndjson']);
});

test('a check that cannot read its file says which', async () => {
  const { options } = await file('');
  const { done } = startCheck({ ...options, path: `${options.path}-gone` }, { workerUrl: workerUrl() });
  await expect(done).rejects.toThrow(/^The check failed: .*file\.ndjson-gone/);
});

test('a file that needs more memory than allowed ends the worker, not the process', async () => {
  const { folder, options } = await file(
    `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}\n`.slice(0, 4_000_000) + '\n',
  );
  const { done } = startCheck({ ...options }, { workerUrl: workerUrl(), heapMb: 24 });
  await expect(done).rejects.toThrow(/^The check failed: its worker thread crashed: .*memory/);
  expect(await readdir(folder)).toEqual(['file.ndjson']);
});

test('a worker that ends without a result is an error', async () => {
  const { options } = await file('');
  const { done } = startCheck(options, { workerUrl: new URL('data:text/javascript,process.exit(3)') });
  await expect(done).rejects.toThrow('The check failed: its worker thread ended (exit code 3) without a result');
});

import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startCheck } from '../../emulator/features/catalog/check/start-check.ts';
import type { CheckOptions } from '../../emulator/features/catalog/check/report.ts';
import { JobCancelled } from '../../emulator/features/catalog/job.ts';
import type { Jobs } from '../../emulator/features/catalog/jobs.ts';
import { workerUrl } from '../support/built.ts';
import { freshFolder, product, toFile, useJobs } from './support.ts';

async function file(content: string): Promise<{ folder: string; options: CheckOptions }> {
  const folder = await freshFolder();
  const path = join(folder, 'file.ndjson');
  await writeFile(path, content);
  const options = { path, issuesPath: join(folder, 'issues'), goodPath: join(folder, 'good'), savedDir: null };
  return { folder, options };
}

/** Twelve megabytes: enough work to report progress once. */
const muchWork = toFile(Array.from({ length: 20_000 }, (_, i) => product(`p-${i}`, { brand: 'b'.repeat(200) })));

/** The check of a large file waits to be cancelled: on a busy machine, one that goes on may end before. */
const waitsAtProgress = `
  import { parentPort } from 'node:worker_threads';
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message) => {
    post(message);
    if (message.progress?.bytes > 1024 * 1024) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };`;

/** The worker, with code that runs before it. */
async function workerAfter(code: string): Promise<URL> {
  const entry = join(await freshFolder(), 'worker.mjs');
  await writeFile(entry, `${code}\nawait import(${JSON.stringify(workerUrl().href)});`);
  return pathToFileURL(entry);
}

test('a worker returns the report and reports its progress', async () => {
  const { folder, options } = await file(`${toFile([product('p')])}${`${'x'.repeat(1024 * 1024)}\n`.repeat(20)}`);
  const told: number[] = [];
  const { done } = startCheck(useJobs(), options, ({ bytes }) => told.push(bytes));
  expect(await done).toMatchObject({ lines: 21, goodLines: 1, counts: { 'catalog.not-json': 20 } });
  expect(told.length).toBeGreaterThan(1);
  expect(told.at(-1)).toBeGreaterThan(20 * 1024 * 1024);
  expect(await readdir(folder)).toEqual(['file.ndjson', 'good', 'issues']);
});

test('the main thread keeps answering while a file is checked', async () => {
  const { options } = await file(muchWork);
  const state = { isDone: false };
  const job = startCheck(useJobs(), options);
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
  const { folder, options } = await file(muchWork);
  const jobs = useJobs({ workerUrl: await workerAfter(waitsAtProgress) });
  const job = startCheck(jobs, options, () => job.cancel());
  await expect(job.done).rejects.toBeInstanceOf(JobCancelled);
  expect(await readdir(folder)).toEqual(['file.ndjson']);
});

test('a check that cannot read its file says which', async () => {
  const { options } = await file('');
  const { done } = startCheck(useJobs(), { ...options, path: `${options.path}-gone` });
  await expect(done).rejects.toThrow(/^The check failed: .*file\.ndjson-gone/);
});

// Where JSON.parse runs out of memory, Node 24 ends the process. The largest line that is read needs a fraction of the 512 MB
// that a thread has outside of this test.
const isNode24 = process.version.startsWith('v24.');
test.skipIf(isNode24)('a file that needs more memory than allowed ends the worker, not the process', async () => {
  const { folder, options } = await file(
    `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}\n`.slice(0, 4_000_000) + '\n',
  );
  const { done } = startCheck(useJobs({ heapMb: 24 }), options);
  await expect(done).rejects.toThrow(/^The check failed: its worker thread crashed: .*memory/);
  expect(await readdir(folder)).toEqual(['file.ndjson']);
});

test('a worker that ends without a result is an error', async () => {
  const { options } = await file('');
  const { done } = startCheck(useJobs({ workerUrl: new URL('data:text/javascript,process.exit(3)') }), options);
  await expect(done).rejects.toThrow('The check failed: its worker thread ended (exit code 3) without a result');
});

/** Jobs whose threads write a line when they start, and wait forever at their first progress in a large file. */
async function countedJobs(): Promise<{ jobs: Jobs; starts: () => number; passIdleTime: () => void }> {
  const log = join(await freshFolder(), 'starts');
  const entry = await workerAfter(
    `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(log)}, 'started\\n');${waitsAtProgress}`,
  );
  let passIdleTime = (): void => {};
  const clock = {
    afterWall: (_ms: number, end: () => void) => {
      passIdleTime = end;
      return () => (passIdleTime = () => {});
    },
  };
  return {
    jobs: useJobs({ clock, workerUrl: entry }),
    starts: () => readFileSync(log, 'utf8').split('\n').length - 1,
    passIdleTime: () => passIdleTime(),
  };
}

test('files that come one after the other are checked in one thread, until it waited too long', async () => {
  const { jobs, starts, passIdleTime } = await countedJobs();
  for (const id of ['a', 'b', 'c']) {
    const { folder, options } = await file(toFile([product(id), product(id)]));
    expect(await startCheck(jobs, options).done).toMatchObject({ lines: 2, goodLines: 1 });
    expect(await readdir(folder)).toEqual(['file.ndjson', 'good', 'issues']);
  }
  expect(starts()).toBe(1);
  passIdleTime();
  const { options } = await file('x\n');
  expect(await startCheck(jobs, options).done).toMatchObject({ lines: 1, goodLines: 0 });
  expect(starts()).toBe(2);
});

test('files that come together have a thread each, and one of them is kept', async () => {
  const { jobs, starts } = await countedJobs();
  const together = await Promise.all(['a', 'b'].map(async (id) => file(toFile([product(id)]))));
  await Promise.all(together.map(({ options }) => startCheck(jobs, options).done));
  expect(starts()).toBe(2);
  const { options } = await file(toFile([product('c')]));
  await startCheck(jobs, options).done;
  expect(starts()).toBe(2);
});

test('a failed check leaves its thread to the next file; a cancelled one does not', async () => {
  const { jobs, starts } = await countedJobs();
  const { options } = await file(muchWork);
  await expect(startCheck(jobs, { ...options, path: `${options.path}-gone` }).done).rejects.toThrow('check failed');
  const job = startCheck(jobs, options, () => job.cancel());
  await expect(job.done).rejects.toBeInstanceOf(JobCancelled);
  expect(starts()).toBe(1);
  const { options: next } = await file(toFile([product('p')]));
  expect(await startCheck(jobs, next).done).toMatchObject({ goodLines: 1 });
  job.cancel();
  expect(starts()).toBe(2);
});

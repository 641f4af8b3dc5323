import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, report, reportMost } from './harness.ts';

interface Started {
  /** Milliseconds from the spawn to the first 200. */
  readonly ms: number;
  /** Resident megabytes 0.7 s later. */
  readonly memory: number;
}

/** Starts a program, requests `path` on the port in its first line until it gets 200, and ends it. */
async function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  toUrl: (line: string) => string,
): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  while (!text.includes('\n')) await once(child.stdout, 'data');
  const url = toUrl(text.split('\n')[0] ?? '');
  const [answer] = await once(get(url, { headers: { authorization: 'Bearer sandpiper-demo-key' } }), 'response');
  answer.resume();
  const ms = performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`${args.join(' ')} answered ${answer.statusCode}.`);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const { readFileSync } = await import('node:fs');
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  child.kill('SIGKILL');
  await once(child, 'close');
  return { ms, memory };
}

const hello = () => start(['test/bench/baseline.mjs'], { SERVE: 'router' }, (port) => `http://127.0.0.1:${port}/v1/me`);
/** @param installed a folder with the files of the package: in a checkout each start checks whether the build is old */
const ours = (installed: string, ...args: readonly string[]) =>
  start(
    [join(installed, 'bin/sandpiper.cjs'), 'serve', '--port', '0', '--inspector-port', '0', '--json', ...args],
    {},
    (line) => `${(JSON.parse(line) as { apiUrl: string }).apiUrl}/me`,
  );

/** A data folder whose journal holds the demo world and `lines` custom events. */
async function folderWithJournal(installed: string, lines: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  await ours(installed, '--data', folder);
  const at = '2026-11-20T14:38:29.000Z';
  const event = (n: number) => ({
    n: 100 + n,
    put: {
      events: [
        {
          id: `event-${n}`,
          companyId: 'MDg6Q29tcGFueTI',
          userId: `user-${n % 1000}`,
          kind: 'custom',
          type: 'Order Shipped',
          externalEventId: `id-${n}`,
          occurredAt: at,
          receivedAt: at,
          startsJourneys: true,
          body: { properties: { carrier: 'fedex', tracking: String(n) } },
        },
      ],
    },
  });
  writeFileSync(
    // The start above wrote the first journal.
    join(folder, 'journal-2.ndjson'),
    Array.from({ length: lines }, (_line, n) => `${JSON.stringify(event(n))}\n`).join(''),
  );
  return folder;
}

/** Cold start and idle memory against an unbundled Koa + router hello. */
export async function benchStartup(rounds = 9): Promise<void> {
  const installed = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  for (const part of ['bin', 'out', 'package.json']) cpSync(part, join(installed, part), { recursive: true });
  const full = await folderWithJournal(installed, 100_000);
  const samples: { hello: Started; empty: Started; journal: Started }[] = [];
  try {
    await hello();
    for (let round = 0; round < rounds; round++) {
      const empty = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
      samples.push({
        hello: await hello(),
        empty: await ours(installed, '--data', empty),
        journal: await ours(installed, '--data', full),
      });
      rmSync(empty, { recursive: true, force: true });
    }
  } finally {
    for (const folder of [full, installed]) rmSync(folder, { recursive: true, force: true });
  }
  const ms = (pick: (sample: (typeof samples)[number]) => Started) =>
    median(samples.map((sample) => pick(sample).ms)).toFixed(0);
  report(
    'cold start, empty store, against Koa + router',
    median(samples.map((one) => one.empty.ms / one.hello.ms)),
    { atMost: 1 },
    `${ms((one) => one.empty)} ms against ${ms((one) => one.hello)} ms`,
    { limit: 'bare node:http 0.56×', peer: 'emulate 0.69×' },
  );
  const extra = median(samples.map((one) => one.journal.ms - one.empty.ms));
  reportMost('cold start with 100,000 journal lines, longer by', extra, 700, 'ms');
  report(
    'idle memory, against Koa + router',
    median(samples.map((one) => one.empty.memory / one.hello.memory)),
    { atMost: 1.05 },
    `${median(samples.map((one) => one.empty.memory)).toFixed(0)} MB`,
    { limit: 'bare node:http 0.71×', peer: 'json-server 0.93×' },
  );
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { report, startBaseline, startSandpiper, type Server } from './harness.ts';

const perSecond = 200;
const inspectors = 3;
/** The calls that the page repeats while it is open. */
const pageCalls = [
  `/control/companies/${demoCompany}/summary`,
  '/control/requests?limit=100',
  '/control/records/users?limit=100',
  '/control/undo',
];

interface Minute {
  readonly minute: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
}

/**
 * Mixed calls of the API at 200 a second for some minutes, while three readers follow the stream and make the page's
 * calls once a second. The record of requests is full after about two minutes; from then on memory should be flat.
 */
export async function benchSoak(minutes: number): Promise<void> {
  const bare = await measureBare();
  const server = await startSandpiper();
  const stop = new AbortController();
  const rows: Readonly<Record<string, string | number>>[] = [];
  const memory: number[] = [];
  try {
    const readers = Array.from({ length: inspectors }, () => inspect(server, stop.signal));
    let last: Minute | null = null;
    for await (const line of soak(server, minutes)) {
      last = JSON.parse(line) as Minute;
      memory.push(server.memory());
      rows.push({
        minute: last.minute,
        calls: last.count,
        'p50, ms': last.p50.toFixed(2),
        'p99, ms': last.p99.toFixed(2),
        'memory, MB': server.memory().toFixed(0),
        'CPU so far, s': server.cpu().toFixed(0),
      });
      console.log(`minute ${last.minute}: p99 ${last.p99.toFixed(1)} ms, ${server.memory().toFixed(0)} MB`);
    }
    stop.abort();
    const seen = await Promise.all(readers);
    console.table(rows);
    if (!last) throw new Error('The load ended before the first minute.');
    if (last.wrong > 0) throw new Error(`${last.wrong} answers had another status than expected.`);
    const share = `B0 alone, a minute: ${(bare.p99 / bare.p50).toFixed(1)}×`;
    report('p99 of the last minute against its p50', last.p99 / last.p50, { atMost: 3 }, share);
    const middle = memory[Math.min(memory.length - 1, Math.max(2, memory.length >> 1))] ?? Number.NaN;
    report('memory at the end against the middle', (memory.at(-1) ?? Number.NaN) / middle, { atMost: 1.1 });
    console.log(`        each reader got about ${(Math.min(...seen) / 1e6).toFixed(1)} MB of the stream`);
  } finally {
    stop.abort();
    await server.stop();
  }
}

/**
 * The same load on the bare app, which knows half of the calls, without readers: the effect of the machine alone on the
 * p99.
 */
async function measureBare(): Promise<Minute> {
  const server = await startBaseline();
  try {
    for await (const line of soak(server, 1)) return JSON.parse(line) as Minute;
    throw new Error('The load ended before the first minute.');
  } finally {
    await server.stop();
  }
}

async function* soak({ apiUrl }: Server, minutes: number): AsyncGenerator<string> {
  const input = JSON.stringify({ apiUrl, perSecond, ms: minutes * 60_000, minuteMs: 60_000 });
  const child = spawn(process.execPath, ['test/bench/soak.mjs', input], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    yield* createInterface({ input: child.stdout });
  } finally {
    child.kill();
  }
}

/** One open page: the stream, and once a second its calls. Returns the bytes of the stream. */
async function inspect({ inspectorUrl, token }: Server, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  let bytes = 0;
  const follow = async (): Promise<void> => {
    const answer = await fetch(`${inspectorUrl}/control/stream`, { headers, signal });
    for await (const piece of answer.body ?? []) bytes += (piece as Uint8Array).length;
  };
  const ask = async (): Promise<void> => {
    for (;;) {
      for (const path of pageCalls) {
        const answer = await fetch(inspectorUrl + path, { headers, signal });
        if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status}.`);
        await answer.arrayBuffer();
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  await Promise.all([follow(), ask()]).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return bytes;
}

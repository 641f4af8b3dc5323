import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';

import type { ServerUsage } from './objects-server.ts';

/** Ratios against a bare `node:http` pipeline to a file, measured in the same run; the median of the rounds. */
export interface ObjectsBench {
  /** MB/s of the router by MB/s of the baseline: higher is better. */
  readonly throughputRatio: number;
  /** CPU time of the server by that of the baseline: lower is better. */
  readonly cpuRatio: number;
  /** Highest resident memory of the server process over all rounds. */
  readonly peakRssMb: number;
  readonly barePeakRssMb: number;
  readonly megabytesPerSecond: number;
}

/** PUTs a generated file of `megabytes` to both servers in turn, the first round unmeasured. */
export async function benchObjects({ megabytes = 300, rounds = 5 } = {}): Promise<ObjectsBench> {
  const [bare, sandbox] = await Promise.all([startServer('bare'), startServer('sandbox')]);
  try {
    await put(bare, megabytes);
    await put(sandbox, megabytes);
    const pairs = [];
    for (let round = 0; round < rounds; round += 1) {
      const swap = round % 2 === 1;
      const first = await put(swap ? sandbox : bare, megabytes);
      const second = await put(swap ? bare : sandbox, megabytes);
      pairs.push(swap ? { bare: second, sandbox: first } : { bare: first, sandbox: second });
    }
    return {
      throughputRatio: median(pairs.map((pair) => pair.bare.seconds / pair.sandbox.seconds)),
      cpuRatio: median(pairs.map((pair) => pair.sandbox.cpuMs / pair.bare.cpuMs)),
      peakRssMb: (await readUsage(sandbox.child)).peakRssMb,
      barePeakRssMb: (await readUsage(bare.child)).peakRssMb,
      megabytesPerSecond: median(pairs.map((pair) => megabytes / pair.sandbox.seconds)),
    };
  } finally {
    for (const { child } of [bare, sandbox]) {
      if (child.connected) child.disconnect();
    }
  }
}

interface BenchServer {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startServer(kind: 'bare' | 'sandbox'): Promise<BenchServer> {
  const file = fileURLToPath(new URL('objects-server.ts', import.meta.url));
  const child = fork(file, [kind], { execArgv: ['--import', 'tsx'] });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function readUsage(child: ChildProcess): Promise<ServerUsage> {
  const answer = once(child, 'message');
  child.send('usage');
  const [usage] = (await answer) as [ServerUsage];
  return usage;
}

const chunk = Buffer.alloc(1024 * 1024, '{"id":"1","name":"A product of the bench"}\n');

async function put({ child, url }: BenchServer, megabytes: number): Promise<{ seconds: number; cpuMs: number }> {
  const before = await readUsage(child);
  const startedAt = performance.now();
  const req = request(url, { method: 'PUT', headers: { 'content-length': megabytes * chunk.length }, agent: false });
  const answered = once(req, 'response');
  for (let sent = 0; sent < megabytes; sent += 1) {
    if (!req.write(chunk)) await once(req, 'drain');
  }
  req.end();
  const [res] = await answered;
  res.resume();
  await once(res, 'end');
  const seconds = (performance.now() - startedAt) / 1000;
  if (res.statusCode !== 200) throw new Error(`The PUT of the bench was answered ${res.statusCode}, not 200`);
  return { seconds, cpuMs: (await readUsage(child)).cpuMs - before.cpuMs };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await benchObjects();
  console.log(`PUT of 300 MB against a bare node:http pipeline to a file (medians):
  throughput  ${result.throughputRatio.toFixed(2)}x  (goal at least 0.45x, the MD5 being half of the work; ${result.megabytesPerSecond.toFixed(0)} MB/s)
  CPU         ${result.cpuRatio.toFixed(2)}x
  peak RSS    ${result.peakRssMb.toFixed(0)} MB  (bare ${result.barePeakRssMb.toFixed(0)} MB; goal at most 130 MB)`);
}

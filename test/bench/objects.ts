import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';

import { median, report } from './harness.ts';
import type { ServerUsage } from './objects-server.ts';

/**
 * PUTs a generated file of `megabytes` to a bare `node:http` pipeline to a file and to the object router, in turn. The
 * first round is not measured.
 */
export async function benchObjects({ megabytes = 300, rounds = 5 } = {}): Promise<void> {
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
    const speed = median(pairs.map((pair) => megabytes / pair.sandbox.seconds));
    report(
      `an object of ${megabytes} MB put, speed against a bare node:http pipeline to a file`,
      median(pairs.map((pair) => pair.bare.seconds / pair.sandbox.seconds)),
      { atLeast: 0.45 },
      `${speed.toFixed(0)} MB/s`,
      { limit: 'cp 2.65×', peer: 'Koa without an MD5 1.17×' },
    );
    // The MD5 of the answer (docs/decisions/0014-etag.md) is half of the work.
    report('… CPU', median(pairs.map((pair) => pair.sandbox.cpuMs / pair.bare.cpuMs)), { atMost: 2 });
    const [ours, its] = [await readUsage(sandbox.child), await readUsage(bare.child)];
    report(
      '… peak memory, against 130 MB',
      ours.peakRssMb / 130,
      { atMost: 1 },
      `${ours.peakRssMb.toFixed(0)} MB, bare ${its.peakRssMb.toFixed(0)} MB`,
    );
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

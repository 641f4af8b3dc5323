import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from './harness.ts';

export interface Load {
  readonly path: string;
  readonly method?: string;
  /** Sent in turn; `$n` becomes a number that this server has not had, `$p` one of a thousand returning people. */
  readonly bodies?: readonly string[];
  readonly expect?: number;
  readonly connections?: number;
  readonly ms?: number;
}

export interface Measured {
  readonly count: number;
  readonly perSecond: number;
  /** Microseconds of the server's CPU, user and system, for one request. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** How many requests a server was sent so far, so that no number repeats, whatever the order of the runs. */
const sent = new WeakMap<Server, number>();

/** The client: wrk if it is installed, because a client in Node takes more CPU than a fast server. */
export const client = spawnSync('wrk', ['-v']).error ? 'load.mjs' : 'wrk';

/** Loads a server from another process. */
export async function load(
  server: Server,
  { path, method = 'GET', bodies = [], expect = 200, connections = 10, ms = 2000 }: Load,
): Promise<Measured> {
  const headers = {
    authorization: 'Bearer sandpiper-demo-key',
    ...(bodies.length > 0 ? { 'content-type': 'application/json' } : {}),
  };
  const url = server.apiUrl + path;
  const first = sent.get(server) ?? 0;
  const headerLines = Object.entries(headers).map((pair) => pair.join(': '));
  const [command, ...args]: readonly string[] =
    client === 'wrk'
      ? `wrk -t1 -c${connections} -d${Math.max(1, Math.round(ms / 1000))}s --latency -s test/bench/load.lua ${url} --`
          .split(' ')
          .concat(String(first), String(expect), method, headerLines.join('\n'), bodies)
      : [
          process.execPath,
          'test/bench/load.mjs',
          JSON.stringify({ url, method, headers, bodies, connections, ms, expect, first }),
        ];
  const before = server.cpu();
  const started = performance.now();
  const child = spawn(command ?? '', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  const seconds = (performance.now() - started) / 1000;
  const { wrong, next, ...found } = JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? text) as {
    readonly count: number;
    readonly wrong: number;
    readonly next: number;
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
  };
  sent.set(server, next);
  if (wrong > 0) throw new Error(`${wrong} of ${found.count} answers to ${method} ${path} were not ${expect}.`);
  return { ...found, perSecond: found.count / seconds, cpu: ((server.cpu() - before) * 1e6) / found.count };
}

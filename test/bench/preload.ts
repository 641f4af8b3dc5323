import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { ProductionSettings } from '../../emulator/production/hosts.ts';
import { median, report } from './harness.ts';

const preload = resolve('out/preload/node-preload.cjs');
const requests = 3_000;

/** A bare server in a process of its own, so that only the client is measured. */
async function startServer() {
  const script = `require('node:http').createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => child.kill('SIGKILL') };
}

/** @returns microseconds of CPU time for one request of a program */
function measure(style: string, port: number, isLoaded: boolean): number {
  const settings: ProductionSettings = {
    port,
    hosts: ['api.attentivemobile.com'],
    offline: false,
    report: '/dev/null',
  };
  const origin = isLoaded ? 'http://api.attentivemobile.com' : `http://127.0.0.1:${port}`;
  const args = ['test/bench/preload-client.mjs', origin, style, String(requests)];
  const { stdout, stderr } = spawnSync(process.execPath, isLoaded ? ['--require', preload, ...args] : args, {
    encoding: 'utf8',
    env: { ...process.env, ...(isLoaded ? { SANDPIPER_AS_PRODUCTION: JSON.stringify(settings) } : {}) },
  });
  if (!(Number(stdout) > 0)) throw new Error(`The client failed: ${stderr}`);
  return Number(stdout);
}

/**
 * Measures the cost that `exec --as-production` adds to a request of a Node program: the redirection, the line of code,
 * the test.
 */
export async function benchPreload(rounds = 7): Promise<void> {
  const server = await startServer();
  try {
    for (const style of ['fetch', 'node:http']) {
      const pairs = Array.from({ length: rounds }, (_, round) => {
        const first = measure(style, server.port, round % 2 === 0);
        const second = measure(style, server.port, round % 2 !== 0);
        return round % 2 === 0 ? { loaded: first, bare: second } : { loaded: second, bare: first };
      });
      const more = median(pairs.map(({ loaded, bare }) => loaded - bare));
      report(
        `a request of a program by ${style}, CPU with the preload against without`,
        median(pairs.map(({ loaded, bare }) => loaded / bare)),
        { atMost: 1.5 },
        `${more.toFixed(0)} µs more than ${median(pairs.map(({ bare }) => bare)).toFixed(0)} µs`,
      );
    }
  } finally {
    server.stop();
  }
}

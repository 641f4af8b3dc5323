import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { hearErrors } from '../support/told-errors.ts';
import { blocksOf, firstMissing, samplesOf } from './blocks.ts';

const root = join(import.meta.dirname, '../..');
const scripts = blocksOf('examples/shop/README.md').filter(({ language }) => language === 'sh');
const [unchanged, customers, sandbox, shop] = scripts;

let folder = '';
const running: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-shop-'));
  const command = `"${process.execPath}" "${join(builtApp(), 'bin/sandpiper.cjs')}"`;
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\n[ "$1" = sandpiper ] || exit 127\nshift\nexec ${command} "$@"\n`);
  chmodSync(join(folder, 'npx'), 0o755);
});
afterAll(() => {
  for (const { pid = 0, exitCode, signalCode } of running)
    if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A terminal in the checkout's folder. */
function terminal(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: personEnvironment({ PATH: `${folder}:${process.env['PATH']}`, ...env }),
    detached: true,
  });
  running.push(child);
  hearErrors(child.stderr);
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    printed: () => output,
    ended: closed.then(() => output),
    async stop() {
      process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
      await closed;
      return output;
    },
  };
}

test('the shop runs unchanged with its world, subscribes a customer, and gets the webhook', async () => {
  const port = String(await freePort());
  const here = (text: string | null | undefined) => (text ?? '').replaceAll('3000', port);
  const first = terminal(here(unchanged?.text));
  await expect.poll(first.printed).toContain('Installed for');
  expect(firstMissing(here(unchanged?.promised), first.printed()), first.printed()).toBeNull();
  const said = await terminal(here(customers?.text)).ended;
  // The answers have no line breaks between them.
  for (const part of here(customers?.promised).trim().split('…').filter(Boolean)) expect(said).toContain(part);
  const told = await first.stop();
  expect(told).toMatch(
    /400 POST \/subscriptions {2}555 {2}subscriptions\.phone-e164 at examples\/shop\/platform\.ts:\d+/,
  );
  // The document has the same request, of another program.
  const [shown = ''] = samplesOf('docs/zero-change.md').filter((sample) => sample.includes('subscriptions.phone-e164'));
  expect(firstMissing(/^ *fix: .*$/m.exec(shown)?.[0] ?? 'a fix', told), told).toBeNull();
});

test('told where a sandbox is, the shop sends a browser there to install it', async () => {
  const port = String(await freePort());
  const served = terminal(sandbox?.text ?? '', { SANDPIPER_PORT: '0', SANDPIPER_INSPECTOR_PORT: '0', PORT: port });
  await expect.poll(served.printed).toContain('API base URL');
  const [, api = ''] = /API base URL +(\S+)\/v1/.exec(served.printed()) ?? [];
  const started = terminal((shop?.text ?? '').replaceAll('3000', port).replaceAll('http://127.0.0.1:4747', api));
  await expect.poll(started.printed).toContain('The shop listens');
  const answer = await fetch(`http://localhost:${port}/install`);
  expect([answer.url, await answer.text()]).toEqual([
    expect.stringContaining(`${api}/integrations/oauth-install?client_id=shop-client`),
    expect.stringContaining('Acme'),
  ]);
  await started.stop();
  await served.stop();
});

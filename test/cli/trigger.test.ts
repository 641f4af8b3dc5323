import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** `sandpiper trigger` of this sandbox. */
const trigger = (...words: readonly string[]) => {
  const { inspectorUrl, token } = sandbox.emulator;
  return command('trigger', 'sms.sent', ...words, '--url', inspectorUrl, '--token', token);
};

/** A webhook whose receiver fails, so that a delivery to it is tried for days. */
async function failingWebhook(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { body } = await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
  return (body as { id: string }).id;
}

test.for([
  ['a reset', '/control/reset', { world: 'demo' }],
  ['a rewind of the clock', '/control/clock', { rewind: true }],
] as const)('trigger --wait ends when %s has removed the delivery, and says so', async ([, path, body]) => {
  const to = await failingWebhook();
  await sandbox.control('POST', '/control/clock', { advance: '1m' });
  const triggered = trigger('--to', to, '--wait');
  await expect.poll(() => sandbox.emulator.deps.store.deliveries.records().at(-1)?.state).toBe('retrying');
  expect((await sandbox.control('POST', path, body)).status).toBeLessThan(300);
  expect(await triggered).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^sandpiper: The delivery dlv_\w+ is gone: a reset or an undo removed it/m) as string,
  });
});

test.for([
  ['a=1', 'a.b=2'],
  ['a=text', 'a.b.c=2'],
  ['a=[1]', 'a.b=2'],
] as const)('--set %s and --set %s do not fit one another, which is one clear line', async ([first, second]) => {
  const ended = await trigger('--to', 'http://127.0.0.1:9/', '--set', first, '--set', second);
  expect(ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^sandpiper: --set a\.b\S* finds no field: "a" is already set to .* See "sandpiper trigger --help"\.\n$/,
    ) as string,
  });
});

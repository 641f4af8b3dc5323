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
const failingWebhook = () => makeWebhook(500);

async function makeWebhook(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
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
  const ofIt = () => sandbox.emulator.deps.store.deliveries.records().find(({ webhookId }) => webhookId === to);
  await expect.poll(() => ofIt()?.state).toBe('retrying');
  expect((await sandbox.control('POST', path, body)).status).toBeLessThan(300);
  expect(await triggered).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^sandpiper: The delivery dlv_\w+ is gone: a reset or an undo removed it/m) as string,
  });
});

test('trigger --wait takes no other delivery for its own that has the same id after a restore', async () => {
  const reset = () => sandbox.control('POST', '/control/reset', { world: 'demo' });
  const deliveryOf = (id: string) =>
    sandbox.emulator.deps.store.deliveries.records().find(({ webhookId }) => webhookId === id);
  await reset();
  const other = await makeWebhook(200);
  expect(await trigger('--to', other)).toMatchObject({ code: 0 });
  expect((await sandbox.control('POST', '/control/snapshots', { name: 'other' })).status).toBeLessThan(300);
  const { id } = deliveryOf(other) ?? {};
  await reset();
  const to = await failingWebhook();
  const triggered = trigger('--to', to, '--wait');
  await expect.poll(() => deliveryOf(to)).toMatchObject({ id, state: 'retrying' });
  expect((await sandbox.control('POST', '/control/snapshots/other/restore')).status).toBeLessThan(300);
  expect(await triggered).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`sandpiper: The delivery ${id} is gone: `) as string,
  });
});

test('trigger --wait ends after its length, and says meanwhile what was tried and how to come to the next attempt', async () => {
  const to = await failingWebhook();
  await sandbox.control('POST', '/control/clock', { freeze: true });
  cleanUps.push(() => sandbox.control('POST', '/control/clock', { real: true }));
  const { code, stdout, stderr } = await trigger('--to', to, '--wait', '300ms');
  expect([code, stdout]).toEqual([1, expect.stringContaining('→ sms.sent retrying 500')]);
  expect(stderr).toMatch(
    /→ sms\.sent retrying 500 .*\nThe clock is frozen, so the next attempt waits for you: "sandpiper advance --to \S+Z" moves/,
  );
});

test('the event may follow --wait, whose length has to be one', async () => {
  const to = 'http://127.0.0.1:9/';
  const { inspectorUrl, token } = sandbox.emulator;
  const words = ['--url', inspectorUrl, '--token', token, '--to', to] as const;
  const { code, stdout } = await command('trigger', ...words, '--dry-run', 'sms.sent');
  expect([code, stdout]).toEqual([0, expect.stringContaining('"type":"sms.sent"')]);
  const wrong = await trigger('--wait', 'soon');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/^sandpiper: --wait: "soon" is not a duration/),
  ]);
});

test('an event for a disabled webhook is not done, which is not wrong use of the command', async () => {
  const id = await makeWebhook(200);
  await sandbox.control('POST', `/control/webhooks/${id}`, { disabled: true });
  const { inspectorUrl, token } = sandbox.emulator;
  const said = expect.stringMatching(
    /^sandpiper: The webhook \S+ is disabled[^]* Enable it first: "sandpiper enable \S+", /,
  ) as string;
  expect(await trigger('--to', id)).toMatchObject({ code: 1, stderr: said });
  expect(await command('gym', id, '--url', inspectorUrl, '--token', token)).toMatchObject({ code: 1, stderr: said });
});

test('a value that the schema of the event does not have is refused with the one that it has', async () => {
  const { code, stderr } = await trigger('--to', 'http://127.0.0.1:9/', '--set', 'type=email.sent');
  expect([code, stderr]).toEqual([2, expect.stringContaining(' at /type: it must be "sms.sent", not "email.sent".')]);
});

test('redeliver says what the receiver answered, and ends with 1 if that was an error', async () => {
  const { inspectorUrl, token } = sandbox.emulator;
  const redeliver = (...words: readonly string[]) =>
    command('redeliver', ...words, '--url', inspectorUrl, '--token', token);
  const fired = await trigger('--to', await failingWebhook(), '--json');
  const { deliveries } = JSON.parse(fired.stdout) as { deliveries: readonly { id: string }[] };
  const again = await redeliver(deliveries[0]?.id ?? '');
  expect([again.code, again.stdout]).toEqual([1, expect.stringMatching(/^dlv_\w+ {2}\S+ → sms\.sent retrying 500 /)]);
});

test('redeliver --failed --json prints the deliveries, as other lists are printed', async () => {
  const { inspectorUrl, token } = sandbox.emulator;
  const failed = ['redeliver', '--failed', '--json', '--url', inspectorUrl, '--token', token];
  await sandbox.reset();
  expect(JSON.parse((await command(...failed)).stdout)).toEqual([]);
  const fired = await trigger('--to', 'http://127.0.0.1:9/', '--json');
  const { deliveries } = JSON.parse(fired.stdout) as { deliveries: readonly { id: string }[] };
  const sent = await command(...failed);
  expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([1, [{ id: deliveries[0]?.id, state: 'failed' }]]);
});

test('redeliver --failed names what it cannot send, and enable lets the webhook get it', async () => {
  await sandbox.reset();
  const { inspectorUrl, token } = sandbox.emulator;
  const at = ['--url', inspectorUrl, '--token', token];
  const webhook = await makeWebhook(200);
  const { url } = (await sandbox.control('POST', `/control/webhooks/${webhook}`, { url: 'http://127.0.0.1:9/' }))
    .body as { url: string };
  await trigger('--to', webhook);
  await sandbox.control('POST', '/control/clock', { advance: '4d' });
  expect((await command('records', 'webhooks', ...at)).stdout).toContain(`${webhook}  ${url}  disabled\n`);

  const refused = await command('redeliver', '--failed', ...at);
  expect(refused).toMatchObject({ code: 1, stdout: 'Nothing was sent.\n' });
  expect(refused.stderr).toMatch(
    /^sandpiper: 1 failed delivery was not sent \(dlv_\w+\)\. The webhook \S+ is disabled \(nothing was accepted since /,
  );
  expect(refused.stderr).toContain(`"sandpiper enable ${webhook}"`);

  const enabled = await command('enable', webhook, ...at);
  expect(enabled).toMatchObject({ code: 0, stdout: `The webhook ${webhook} to ${url} is enabled.\n` });
  expect((await command('redeliver', '--failed', ...at)).stdout).toMatch(/ → sms\.sent retrying /);

  await sandbox.control('POST', '/control/clock', { advance: '4d' });
  await sandbox.control('DELETE', `/control/webhooks/${webhook}`);
  expect(await command('redeliver', '--failed', ...at)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ was not sent \(dlv_\w+\)\. The webhook \S+ is deleted\.\n$/) as string,
  });
});

test('redeliver says that it waits only if the receiver takes longer than a second', async () => {
  const { inspectorUrl, token } = sandbox.emulator;
  let isSlow = false;
  const server = createServer((_, response) => {
    // Real time: the command says it after a second of that.
    if (isSlow) setTimeout(() => response.end(), 2_500);
    else response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => server.close());
  const fired = await trigger('--to', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, '--json');
  const { deliveries } = JSON.parse(fired.stdout) as { deliveries: readonly { id: string }[] };
  const redeliver = () => command('redeliver', deliveries[0]?.id ?? '', '--url', inspectorUrl, '--token', token);
  expect(await redeliver()).toMatchObject({ code: 0, stderr: '' });
  isSlow = true;
  const slow = await redeliver();
  expect([slow.code, slow.stderr]).toEqual([0, expect.stringMatching(/^Waiting for the receiver\. [^\n]*\n$/)]);
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
      /^sandpiper: --set a\.b\S* cannot be set: "a" is already set to .* See "sandpiper trigger --help"\.\n$/,
    ) as string,
  });
});

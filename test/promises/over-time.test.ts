/** What docs/promises.md promises of the emulated API over time, in files and in deliveries: a walk for each row, under its name. */
import { createHash, createHmac } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import type { ClockChangeView, FiredView, RequestView, WebhookView } from '../../emulator/control/calls.ts';
import { startReceiver } from '../delivery/support.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened, subscribe, upload } from '../support/world.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const makeWebhook = (url: string) =>
  act<WebhookView>(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
const fire = (to: string) => act<FiredView>(sandbox, 'POST', '/control/trigger', { type: 'sms.subscribed', to });
const hmac = (key: string, body: string) => createHmac('sha256', key).update(body).digest('hex');

test('Older data folders and snapshots are opened with everything in them.', async () => {
  const dataDir = freshFolder();
  cpSync(join(import.meta.dirname, '../fixtures/data-0.1.0'), dataDir, { recursive: true });
  const older = await opened({ dataDir });
  const expectEverything = async () => {
    const { users, events, attributeValues, webhooks, privacyRequests } = older.emulator.deps.store;
    expect([users, events, attributeValues, webhooks, privacyRequests].map(({ size }) => size)).toEqual([
      7, 1, 1, 1, 1,
    ]);
    // Only the journal of that version has this person.
    const { status } = await older.call('GET', '/subscriptions', { query: { email: 'journal@example.com' } });
    expect(status).toBe(200);
  };
  await expectEverything();
  await older.emulator.reset('empty');
  await act(older, 'POST', '/control/snapshots/before/restore', {});
  await expectEverything();
});

test('The object store explains its refusals as the API does, and the ETag of a file is its MD5.', async () => {
  const { body } = await sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  const { uploadUrl } = body as { uploadUrl: string };
  const refused = await fetch(`${uploadUrl}x`, { method: 'PUT', body: 'x' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')]);
  const id = refused.headers.get('x-sandbox-explain')?.split('/').at(-1);
  const { refusal } = await act<RequestView>(sandbox, 'GET', `/control/requests/${id}`);
  expect(refusal?.rule).toBe('objects.signature');
  const stored = await fetch(uploadUrl, { method: 'PUT', body: 'x' });
  expect(stored.headers.get('etag')).toBe(`"${createHash('md5').update('x').digest('hex')}"`);
});

test('After a rotation both keys verify until the overlap is over, and the reply says what a receiver must do.', async () => {
  const receiver = await startReceiver();
  const { id, standardSecret: old } = await makeWebhook(receiver.url);
  const rotated = await act<WebhookView>(sandbox, 'POST', `/control/webhooks/${id}/rotate`, {});
  expect(rotated.previousKey?.advice).toContain('must have the new key at once');
  const verifies = (secret: string, { headers, body }: (typeof receiver.got)[number]): boolean => {
    try {
      return Boolean(new StandardWebhook(secret).verify(body, headers as Record<string, string>));
    } catch {
      return false;
    }
  };
  await fire(id);
  await act(sandbox, 'POST', '/control/clock', { advance: '25h' });
  await fire(id);
  expect(receiver.got.map((got) => [verifies(old, got), verifies(rotated.standardSecret, got)])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('An event fired by hand is signed as a real one is, and the reply says with which key.', async () => {
  const receiver = await startReceiver();
  const { id, signingKey } = await makeWebhook(receiver.url);
  await subscribe(sandbox, '+15555550190');
  await receiver.count(1);
  const { signedBy } = await fire(receiver.url);
  expect(signedBy).toContain(`the key of the webhook ${id}`);
  expect(receiver.got.map(({ headers }) => headers['x-attentive-hmac-sha256'])).toEqual(
    receiver.got.map(({ body }) => hmac(signingKey, body)),
  );
});

test('A client that waits for exactly `validated` finishes at every pace.', async () => {
  for (const pace of ['instant', 'realistic', 'manual'] as const) {
    const paced = await opened({ pace });
    const { clock } = paced.emulator.deps;
    const id = await upload(paced, ['a']);
    await clock.advance(0);
    if (pace === 'manual') await act(paced, 'POST', `/control/records/uploads/${id}/moves`, { event: 'checked' });
    const seen: string[] = [];
    for (let polls = 0; polls < 5 && seen.at(-1) !== 'validated'; polls += 1) {
      // The platform's uploader sleeps as long.
      await clock.advance(10_000);
      const { body } = await paced.call('GET', `/product-catalog/uploads/${id}`);
      seen.push((body as { status: string }).status);
    }
    expect([pace, seen.at(-1)]).toEqual([pace, 'validated']);
  }
});

test('A receiver that hangs holds neither an advance, nor a reset, nor other deliveries.', async () => {
  const [hanging, good] = [await startReceiver(() => {}), await startReceiver()];
  for (const { url } of [hanging, good]) await makeWebhook(url);
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await subscribe(sandbox, '+15555550190');
  await Promise.all([hanging.count(1), good.count(1)]);
  const advance = { advance: '30d' };
  expect(await act<ClockChangeView>(sandbox, 'POST', '/control/clock', advance)).toMatchObject({ stopped: false });
  // The reset comes while the receiver may still answer, and does not wait for that.
  const { deliveries } = sandbox.emulator.deps.store;
  expect([...deliveries.all()].map(({ url, state }) => [url, state])).toEqual([
    [hanging.url, 'delivering'],
    [good.url, 'delivered'],
  ]);
  await sandbox.reset();
  expect(deliveries.size).toBe(0);
});

test('Recorded requests outlive the process, within limits of number, bytes and days.', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  await first.call('GET', '/webhooks');
  const before = await (await first.call('POST', '/subscriptions', { json: { user: { phone: '555' } } })).exchange();
  await first.close();
  const second = await opened({ dataDir, record: { exchanges: 1, bytes: 1_000_000, days: 30 } });
  const { requests } = await act<{ requests: RequestView[] }>(second, 'GET', '/control/requests');
  expect(requests.map(({ id }) => id)).toEqual([before.id]);
  expect(await act(second, 'GET', `/control/requests/${before.id}?reveal=true`)).toEqual(before);
});

/** Deliveries are tried again by themselves, at any time: also between an undo and its redo. */
import { expect, test } from 'vitest';
import { startReceiver } from '../delivery/support.ts';
import { act, opened } from '../support/world.ts';

test.for([
  ['a reset', 'reset', { world: 'empty' }],
  ['a changed webhook', 'webhooks/{id}', { reach: 'private' }],
] as const)(
  '%s that was undone is redone after a delivery was tried again by itself, but not after it was sent again by hand',
  async ([, path, json]) => {
    const receiver = await startReceiver((response) => response.writeHead(500).end());
    const sandbox = await opened();
    const { deliveries, store } = sandbox.emulator.deps;
    const control = (of: string, body?: unknown) => act<{ id: string }>(sandbox, 'POST', `/control/${of}`, body);
    // Moving the clock by hand would be a change of its own.
    await control('clock', { rate: 60 });
    const { id: to } = await control('webhooks', { url: receiver.url, events: ['sms.sent'] });
    await control('trigger', { type: 'sms.sent', to });
    const [delivery] = store.deliveries.all();
    const attempts = () => store.deliveries.get(delivery?.id ?? '')?.attemptCount ?? 0;

    await control(path.replace('{id}', to), json);
    const changed = [store.companies.size, store.webhooks.get(to)?.reach];
    await control('undo');
    const before = attempts();
    await receiver.count(receiver.got.length + 1);
    await deliveries.settled();
    const tried = attempts();
    expect(tried).toBeGreaterThan(before);
    await control('redo');
    expect([store.companies.size, store.webhooks.get(to)?.reach]).toEqual(changed);
    await control('undo');
    expect(attempts()).toBeGreaterThanOrEqual(tried);

    await deliveries.settled();
    await control(`deliveries/${delivery?.id}/redeliver`);
    expect((await sandbox.control('POST', '/control/redo')).status).toBe(409);
  },
);

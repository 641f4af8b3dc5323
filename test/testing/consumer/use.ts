// Code of a user who installed the package; ../package.test.ts compiles and runs it there.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import test from 'node:test';
import { createSandbox, type Sandbox, type SandboxRequest } from 'sandpiper/testing';

test('the test library works from the package, and leaves nothing behind', async () => {
  const events = ['exit', 'SIGINT', 'SIGTERM', 'beforeExit', 'uncaughtException', 'unhandledRejection', 'warning'];
  const listeners = (): readonly number[] => events.map((event) => process.listenerCount(event));
  const folders = (): readonly string[] => readdirSync(tmpdir());
  const before = { listeners: listeners(), folders: folders() };

  for (const pace of ['instant', 'realistic'] as const) {
    const sandbox: Sandbox = await createSandbox({ pace });
    const receiver = await sandbox.receiver();
    await sandbox.control.createWebhook({ url: receiver.url, events: ['sms.subscribed'] });
    const authorization = `Bearer ${sandbox.key}`;
    const subscribed = await fetch(`${sandbox.apiUrl}/subscriptions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ user: { phone: '+15555550190' }, signUpSourceId: '100001' }),
    });
    assert.equal(subscribed.status, 202);
    await subscribed.text();
    const request: SandboxRequest = await sandbox.waitForRequest({ operation: 'POST /subscriptions', status: '2xx' });
    assert.deepEqual(request.sent, { user: { phone: '+15555550190' }, signUpSourceId: '100001' });
    assert.equal((await sandbox.waitForDelivery({ type: 'sms.subscribed' })).state, 'delivered');
    assert.equal((await receiver.next()).method, 'POST');

    const initiated = await fetch(`${sandbox.apiUrl}/product-catalog/uploads`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ validateOnly: true }),
    });
    const upload = (await initiated.json()) as { readonly uploadId: string; readonly uploadUrl: string };
    assert.equal((await fetch(upload.uploadUrl, { method: 'PUT', body: '{}\n' })).status, 200);
    await sandbox.clock.advance('1h');
    const record = await sandbox.control.record('uploads', upload.uploadId);
    assert.equal(record.state, 'validated');
    await sandbox.snapshot.save('here');
    await sandbox.snapshot.restore('here');
    sandbox.waitForRequest({ path: '/never' }).catch(() => {});
    await sandbox.close();
  }
  {
    await using sandbox = await createSandbox({ world: 'empty' });
    assert.equal(sandbox.requests().length, 0);
  }

  assert.deepEqual({ listeners: listeners(), folders: folders() }, before);
  // Sockets and workers end some turns of the event loop later.
  const left = (): readonly string[] =>
    process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Worker|MessagePort|FS/.test(name));
  for (let turn = 0; turn < 100 && left().length > 0; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(left(), []);
});

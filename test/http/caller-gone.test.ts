import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { beginSlow } from '../support/slow-request.ts';

const sandbox = useSandbox();

/** A company with an app and its key. */
interface Made {
  readonly id: string;
  readonly appId: string;
  readonly credentialId: string;
  readonly key: string;
}

const webhook = { url: 'http://localhost:3000/', events: ['sms.sent'] };

test.each([
  ['its company is deleted', 401, 'DELETE', ({ id }: Made) => `/control/companies/${id}`],
  ['its app is deleted', 401, 'DELETE', ({ appId }: Made) => `/control/apps/${appId}`],
  ['its key is revoked', 401, 'DELETE', ({ credentialId }: Made) => `/control/credentials/${credentialId}`],
  ['its app loses the scope', 403, 'POST', ({ appId }: Made) => `/control/apps/${appId}`],
])('a request is refused, and stores nothing, if %s while its body arrives', async (_case, status, method, toPath) => {
  const made: Made = (await sandbox.control('POST', '/control/companies', { name: 'Short-lived' })).body;
  const sent = await beginSlow(sandbox.emulator.apiUrl, '/webhooks', made.key);
  const change = method === 'POST' ? { scopes: ['events:write'] } : undefined;
  expect((await sandbox.control(method, toPath(made), change)).status).toBeLessThan(300);
  expect(await sent.end(webhook)).toBe(status);
  const stored = sandbox.emulator.deps.store.webhooks.records();
  expect(stored.filter(({ companyId }) => companyId === made.id)).toEqual([]);
});

test('a request is answered in the new state if the records are reset while its body arrives', async () => {
  const sent = await beginSlow(sandbox.emulator.apiUrl, '/webhooks');
  await sandbox.reset();
  expect(await sent.end(webhook)).toBe(201);
  expect((await sandbox.call('GET', '/webhooks')).body).toMatchObject({ webhooks: [{ events: ['sms.sent'] }] });
});

/** Far more of everything than a developer has, with texts as long as they may be, for pictures of full views. */
import { createControlClient } from '../../emulator/control/client/control-client.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';

const long = 'an-integration-with-a-name-that-someone-wrote-in-one-line-without-any-thought-of-columns';

/** @param emulator with the busy world, at pace `manual` */
export async function fillTooMuch(emulator: Emulator): Promise<void> {
  const call = async (path: string, json: unknown): Promise<void> => {
    const answer = await fetch(emulator.apiUrl + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`POST ${path}: ${answer.status}`);
  };
  const control = createControlClient({ url: emulator.inspectorUrl, token: emulator.token });
  const companyId = [...emulator.deps.store.companies.all()][0]?.id ?? '';

  for (let n = 0; n < 40; n += 1) {
    await call('/webhooks', { url: `http://127.0.0.1:9/${long}/${long}/${n}`, events: ['email.opened'] });
    await control.call('POST /control/apps', {
      body: { companyId, kind: 'private', name: `${long} ${n}`, scopes: ['segments:read'] },
    });
    await control.call('POST /control/sign-up-units', {
      body: { companyId, name: `${long} ${n}`, language: 'de', country: 'DE', type: 'MARKETING' },
    });
    await control.call('POST /control/attributes', {
      body: { companyId, name: `${long} ${n}`, type: 'string', values: n % 2 === 0 ? null : ['one', long] },
    });
    await control.call('POST /control/offers', { body: { companyId, name: `${long} ${n}`, window: 'never-expire' } });
    await control.call('POST /control/snapshots', { body: { name: `snapshot-${n}-${long.slice(0, 40)}` } });
    await call('/product-catalog/uploads', { validateOnly: n % 2 === 0 });
    await control.call('POST /control/faults', { body: { operation: 'GET /me', delay: '1ms', every: 1000 + n } });
  }
  await breakMany(emulator);
  const people = Array.from({ length: 2000 }, (_, n) => n);
  for (let at = 0; at < people.length; at += 20)
    await Promise.all(
      people.slice(at, at + 20).map(async (n) => {
        const user = { phone: `+1555556${String(1000 + n)}`, email: `${long}.${n}@a-very-long-host-name.example.com` };
        await call('/subscriptions', { user, signUpSourceId: '100001' });
        await call('/events/custom', { type: `${long.slice(0, 60)} ${n}`, user, properties: { 'Order Id': long } });
        if (n % 20 === 0) await call('/privacy/delete-request', { subscriberPhone: user.phone });
        if (n % 3 === 0) await call('/subscriptions', { user: { phone: `${long}${n}` }, signUpSourceId: '100001' });
      }),
    );
}

/** Makes an operation throw for a moment, because errors in Sandpiper itself do not just happen. */
async function breakMany({ apiUrl, operations }: Emulator): Promise<void> {
  const operation = operations.find(({ method, path }) => method === 'GET' && path === '/me') as { handle: unknown };
  const { handle } = operation;
  for (let n = 0; n < 60; n += 1) {
    operation.handle = () => {
      throw new Error(`${long} ${n}`);
    };
    const answer = await fetch(`${apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
    if (answer.status !== 500) throw new Error(`GET /me: ${answer.status}`);
  }
  operation.handle = handle;
}

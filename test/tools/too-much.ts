/** Far more of everything than a developer has, with texts as long as they may be, for pictures of full views. */
import type { Emulator } from '../../emulator/start-emulator.ts';

const long = 'an-integration-with-a-name-that-somebody-wrote-in-one-line-without-any-thought-of-columns';

/** @param emulator with the busy world, at pace `manual` */
export async function fillTooMuch(emulator: Emulator): Promise<void> {
  const send = async (root: string, token: string, method: string, path: string, json: unknown): Promise<void> => {
    const answer = await fetch(root + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
  };
  const call = (path: string, json: unknown) => send(emulator.apiUrl, 'sandpiper-demo-key', 'POST', path, json);
  const control = (path: string, json: unknown) =>
    send(`${emulator.inspectorUrl}/control`, emulator.token, 'POST', path, json);
  const company = [...emulator.deps.store.companies.all()][0]?.id ?? '';

  for (let n = 0; n < 40; n += 1) {
    await call('/webhooks', { url: `http://127.0.0.1:9/${long}/${long}/${n}`, events: ['email.opened'] });
    await control('/apps', { companyId: company, name: `${long} ${n}`, scopes: ['segments:read'] });
    await control('/sign-up-units', { companyId: company, name: `${long} ${n}`, types: ['MARKETING'] });
    await control('/snapshots', { name: `snapshot-${n}-${long.slice(0, 40)}` });
    await call('/product-catalog/uploads', { validateOnly: n % 2 === 0 });
    await control('/faults', { operation: 'GET /me', delay: '1ms', every: 1000 + n });
  }
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

import { expect, test } from 'vitest';
import { startReceiver } from '../delivery/support.ts';
import { expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);

test('what “Redeliver failed” was refused is said at its webhook only, and a second press sends nothing', async () => {
  inspector.allowErrors(/507/);
  const { url } = await startReceiver((response) => void response.writeHead(500).end());
  const create = async (address: string): Promise<string> => {
    const { body } = await control('POST', 'webhooks', { url: address, events: ['email.opened'] });
    return (body as { readonly id: string }).id;
  };
  const id = await create(url);
  await create('http://localhost:1/other');
  await control('POST', 'trigger', { type: 'email.opened', to: id });
  await control('POST', 'clock', { advance: '4d' });
  const { store } = inspector.sandbox.emulator.deps;
  await expect.poll(() => [...store.deliveries.all()].map(({ state }) => state)).toContain('failed');

  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}`);
  let sent = 0;
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await intercept(page, '**/redeliver-failed', async (route) => {
    sent += 1;
    await held;
    await route.fulfill({ status: 507, json: { message: 'The disk is full.' } });
  });
  const button = page.getByRole('button', { name: 'Redeliver failed' });
  await button.dblclick();
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  answer();
  const refusal = page.getByRole('alert').filter({ hasText: /\S/ });
  await expectSeen(refusal);
  expect(sent).toBe(1);
  await page.getByRole('navigation', { name: 'Endpoints' }).getByTitle('http://localhost:1/other').first().click();
  await expectGone(refusal);
});

import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });

test('states and moves that could not be read are there when everything is read again', async () => {
  inspector.allowErrors(/507/);
  const page = await inspector.open('/requests');
  const calls = /\/control\/(?:machines|openapi\.json)/;
  const refuse = (): Promise<unknown> => page.route(calls, (route) => route.fulfill({ status: 507, json: {} }));
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const [upload] = inspector.sandbox.emulator.deps.store.uploads.all();
  await inspector.sandbox.control('POST', '/control/snapshots', { name: 'now', overwrite: true });
  for (const [path, wanted] of [
    [`/catalog/${upload?.id}`, page.getByRole('group', { name: 'States' })],
    [`/reference/${encodeURIComponent('operation:GET /me')}`, page.getByRole('button', { name: 'Try it' })],
  ] as const) {
    await refuse();
    const refused = page.waitForResponse(calls);
    await goTo(page, path);
    await (await refused).finished();
    expect(await wanted.count()).toBe(0);
    await page.unroute(calls);
    await inspector.sandbox.control('POST', '/control/snapshots/now/restore', {});
    await expectSeen(wanted);
  }
});

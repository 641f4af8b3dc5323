/** The page lists the newest 10,000 requests: what is counted among them says so. */
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { recordMany } from '../support/record-many.ts';

const inspector = useInspector({ pace: 'manual' });

test('Home, an app and the reference say that they count the newest 10,000 requests while there are more', async () => {
  recordMany(inspector.sandbox, 10_600);
  const page = await inspector.open('/');
  await expectSeen(page.getByText(/More than 10,000 requests came in; of the newest 10,000 requests none was refused/));
  await expectSeen(page.getByText('hours of the virtual clock, among the newest 10,000 requests'));
  const [app] = inspector.sandbox.emulator.deps.store.apps.all();
  await goTo(page, `/apps/${app?.id}`);
  await expectSeen(page.getByText('not among the newest 10,000 requests').first());
  await expectSeen(page.getByRole('columnheader', { name: 'Among the newest 10,000 requests' }));
  await goTo(page, `/reference/${encodeURIComponent('operation:GET /me')}`);
  await expectSeen(page.getByText(/10,000 requests, counted among the newest 10,000 requests/));
  await goTo(page, `/reference/${encodeURIComponent('operation:GET /webhooks')}`);
  await expectSeen(page.getByText('None of the newest 10,000 requests called it.'));
});

test('Home says no more than that requests came in while all of them are listed', async () => {
  recordMany(inspector.sandbox, 20);
  const page = await inspector.open('/');
  await expectSeen(page.getByText(/20 requests came in,\s+none was refused/));
  expect(await page.getByText('the newest').count()).toBe(0);
});

import { expect, test } from 'vitest';
import { startReceiver } from '../delivery/support.ts';
import { expectGone, expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector();

test('an event to which no webhook listens is told so, and the window goes on', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  const fire = page.getByRole('button', { name: 'Fire', exact: true });
  await fire.click();
  const answer = page.getByRole('region', { name: "The receiver's answer" });
  await expectSeen(answer.getByText(/webhook/));
  await page.getByRole('tab', { name: 'Schema' }).click();
  await expectSeen(page.getByRole('tab', { name: 'Schema', selected: true }));
});

test('the answer to an event is read when it changes, not again and again', async () => {
  const receiver = await startReceiver();
  await inspector.sandbox.control('POST', '/control/webhooks', { url: receiver.url, events: ['email.opened'] });
  const page = await inspector.open('/webhooks?fire=1');
  let count = 0;
  page.on('request', (request) => (count += Number(/\/control\/deliveries\/[^/]+$/.test(request.url()))));
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await expectSeen(
    page.getByRole('region', { name: "The receiver's answer" }).getByText('200', { exact: true }).first(),
  );
  const before = count;
  // As many replies as it would take to read it again.
  for (let left = 10; left > 0; left -= 1) await page.evaluate(async () => (await fetch('/mark.svg')).text());
  expect(count - before).toBeLessThan(5);
});

test('what a signature differs in stays when the webhook is read again', async () => {
  const { control } = inspector.sandbox;
  const hook = { url: 'http://127.0.0.1:9/one', events: ['email.opened'] };
  const { id } = (await control('POST', '/control/webhooks', hook)).body as { id: string };
  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}?panel=signature`);
  await page.getByLabel('The signature that your receiver computed').fill('ab');
  await page.getByLabel('The body that it received').fill('{}');
  await page.getByRole('button', { name: 'Compare' }).click();
  const found = page.getByRole('region', { name: 'What differs' });
  await found.waitFor();
  await control('POST', `/control/webhooks/${encodeURIComponent(id)}`, { url: 'http://127.0.0.1:9/renamed' });
  await page
    .getByRole('button', { name: /renamed/ })
    .first()
    .waitFor();
  await expectSeen(found);
});

test('for a person without phone and email the panel says that the payload has the example person', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/identity-resolution/user-identifiers', {
    json: { clientUserId: '10077', customIdentifiers: [{ name: 'loyaltyId', value: 'L-77' }] },
  });
  const page = await inspector.open('/webhooks?fire=1&about=10077');
  const says = page.getByText('10077 has no phone or email, so the payload has the example person.');
  await expectSeen(page.getByText('fits its schema'));
  await expectSeen(says);
  const subscriber = page.getByRole('combobox', { name: 'Subscriber' });
  await subscriber.click();
  await page.getByRole('option', { name: /\+15555550100/ }).click();
  await expectGone(says);
});

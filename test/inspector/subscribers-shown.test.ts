import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { knownAt } from '../support/people.ts';

const inspector = useInspector();
const ada = { phone: '+15555550100', email: 'ada@example.com' };

const call = (path: string, json: unknown) => inspector.sandbox.call('POST', path, { json });
const subscribe = (user: object) => call('/subscriptions', { user, signUpSourceId: '100001' });
const fail = (operation: string) =>
  inspector.sandbox.control('POST', '/control/faults', { operation, status: 500, times: 2 });

/** People who are known, one after the other, by email. */
function meet(...emails: readonly string[]): void {
  const { store, users } = inspector.sandbox.emulator.deps;
  store.transact(() => {
    for (const email of emails) users.findOrMake(demoCompany, { email }, knownAt('2026-01-01T00:00:00.000Z'));
  });
}
const some = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `p${n}@example.com`);

function pathOf(value: string): string {
  const users = [...inspector.sandbox.emulator.deps.store.users.all()];
  const person = users.find(({ addresses }) => addresses.some((one) => one.value === value));
  return `/subscribers/${encodeURIComponent(person?.id ?? '')}`;
}

const detailOf = (page: Page, title: string) => page.getByRole('article', { name: title });
const factsOf = (page: Page) => page.getByRole('region', { name: 'Facts and history' });

async function unsubscribe(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Unsubscribe from everything' }).click();
}

test('why something was refused for one person is not said at the next one, who is shown from the top', async () => {
  await fail('POST /subscriptions/unsubscribe');
  const page = await inspector.open(pathOf(ada.phone), { height: 500 });
  const subscriptions = page.getByRole('region', { name: 'Subscriptions' });
  await detailOf(page, '+1 555 555 0100').waitFor();
  await unsubscribe(page);
  await subscriptions
    .getByRole('button', { name: /^Unsubscribe from/ })
    .first()
    .click();
  const problems = detailOf(page, '+1 555 555 0100').getByRole('alert').filter({ hasText: '500' });
  await expect.poll(() => problems.count()).toBe(2);
  await factsOf(page).evaluate((box) => box.scrollTo({ top: 200 }));
  await goTo(page, pathOf('+15555550101'));
  await detailOf(page, '+1 555 555 0101').waitFor();
  expect(await detailOf(page, '+1 555 555 0101').getByRole('alert').filter({ hasText: '500' }).count()).toBe(0);
  await expect.poll(() => factsOf(page).evaluate((box) => box.scrollTop)).toBe(0);
});

test('what is refused for a person after another one is shown is said, and not at that one', async () => {
  await fail('POST /subscriptions/unsubscribe');
  const page = await inspector.open(pathOf(ada.phone));
  await detailOf(page, '+1 555 555 0100').waitFor();
  const release = await holdBack(page, /\/control\/send/);
  await unsubscribe(page);
  await goTo(page, pathOf('+15555550101'));
  await detailOf(page, '+1 555 555 0101').waitFor();
  release();
  await expectSeen(toast(page, /500/));
  expect(await detailOf(page, '+1 555 555 0101').getByRole('alert').filter({ hasText: '500' }).count()).toBe(0);
});

test('people that are scrolled to while the list is read again are listed', async () => {
  meet(...some(350));
  const page = await inspector.open('/subscribers');
  const list = page.getByRole('grid', { name: 'People, newest first' });
  await list.getByText('p349@example.com').waitFor();
  const people = /\/control\/people\?/;
  const release = await holdBack(page, people);
  const asked = page.waitForRequest(people);
  await call('/subscriptions/unsubscribe', { user: { phone: ada.phone } });
  await asked;
  await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await list.locator('.skel').first().waitFor();
  release();
  await expectSeen(list.getByText('p0@example.com', { exact: true }));
  await expectGone(list.locator('.skel').first());
});

test('who was just subscribed is opened, not someone newer whose address contains that one', async () => {
  meet('lada@example.com');
  const page = await inspector.open('/subscribers');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New subscriber' });
  await sheet.getByRole('textbox', { name: 'Email' }).fill('Ada@example.com');
  await sheet.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.waitForURL(/\/subscribers\/./);
  expect(decodeURIComponent(page.url())).toContain(decodeURIComponent(pathOf(ada.phone)));
});

test('a long address that is pasted is subscribed as it is', async () => {
  const email = `${'a'.repeat(64)}@${'longer.'.repeat(22)}example.com`;
  const page = await inspector.open('/subscribers');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New subscriber' });
  await sheet.getByRole('textbox', { name: 'Email' }).focus();
  await page.keyboard.insertText(email);
  await sheet.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expectGone(sheet);
  expect(pathOf(email)).not.toBe('/subscribers/');
});

test('an event is about the person of the link, not about someone newer whose address contains theirs', async () => {
  meet('lada@example.com', ...some(200));
  const page = await inspector.open('/webhooks?fire=1&about=ada@example.com');
  const subscriber = page.getByRole('combobox', { name: 'Subscriber' });
  await subscriber.getByText(/ada@example\.com/).waitFor();
  expect(await subscriber.innerText()).toContain(ada.phone);
});

test('the payload of an event stays open, at its event, when another event comes', async () => {
  const send = (carrier: string) =>
    call('/events/custom', { type: 'Order Shipped', properties: { carrier }, user: ada });
  await send('fedex');
  const page = await inspector.open(pathOf(ada.phone));
  const history = page.getByRole('region', { name: 'History' });
  const events = history.getByRole('listitem').filter({ hasText: 'Event Order Shipped' });
  await events.first().getByRole('button').click();
  await events.first().getByText('"carrier": "fedex"').waitFor();

  const payloads = /\/control\/records\/events\//;
  await send('dhl');
  await expect.poll(() => events.count()).toBe(2);
  await expectSeen(events.nth(1).getByText('"carrier": "fedex"'));
  const release = await holdBack(page, payloads);
  await events.first().getByRole('button').click();
  await send('ups');
  await expect.poll(() => events.count()).toBe(3);
  await letCome(page, payloads, release);
  await expectSeen(events.nth(1).getByText('"carrier": "dhl"'));
  await expectSeen(events.nth(2).getByText('"carrier": "fedex"'));
  expect(await events.first().getByRole('button').getAttribute('aria-expanded')).toBe('false');
});

test('after a reset the first of the people who are there then is shown', async () => {
  await subscribe({ phone: '+15555550177' });
  const page = await inspector.open('/subscribers');
  await detailOf(page, '+1 555 555 0177').waitFor();
  inspector.allowErrors(/404 \(Not Found\) \S+\/control\/people\//);
  await inspector.sandbox.reset();
  const rows = page.getByRole('grid', { name: 'People, newest first' }).getByRole('row');
  await expectGone(rows.filter({ hasText: '0177' }));
  const [first = ''] = (await rows.first().innerText()).split('\n');
  await expectSeen(detailOf(page, first));
});

test('a link with a search into the list of people that is shown searches there', async () => {
  const page = await inspector.open('/subscribers');
  const field = page.getByRole('textbox', { name: 'Search by phone, email or id' });
  await field.waitFor();
  await page.evaluate(() => (location.hash = '#/subscribers?search=grace'));
  await expect.poll(() => field.inputValue()).toBe('grace');
  await page.getByText('1 match', { exact: true }).waitFor();
  await field.fill('no such person');
  await page.getByText('No one found').waitFor();
  await expect.poll(() => page.url()).toContain('search=no');
  expect(await field.inputValue()).toBe('no such person');
});

test('the buttons of an attribute and of an identity with a long name end it with the mark of a cut text', async () => {
  const user = {
    email: 'ada@example.com',
    externalIdentifiers: { customIdentifiers: [{ name: 'i'.repeat(100), value: '1' }] },
  };
  await call('/attributes/custom', { user, properties: { ['a'.repeat(100)]: '1' } });
  const page = await inspector.open(pathOf('ada@example.com'));
  for (const name of [`Set ${'a'.repeat(79)}…`, `Copy ${'i'.repeat(79)}…`])
    await expectSeen(factsOf(page).getByRole('button', { name, exact: true }));
});

test('a company with one person is said to have 1 person', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const [, ...others] = [...store.users.all()].filter(({ companyId }) => companyId === demoCompany);
  store.transact(() => {
    for (const { id } of others) store.users.delete(id);
  });
  const page = await inspector.open('/subscribers');
  await expectSeen(page.getByText('1 person', { exact: true }));
});

test('while a person or their history is read, that is said at once, and nothing of another person is shown as theirs', async () => {
  meet('first@example.com', 'second@example.com');
  const page = await inspector.open();
  const [person, history] = [/\/control\/people\/[^/?]+$/, /\/control\/people\/[^/]+\/history/];
  const releasePerson = await holdBack(page, person);
  await goTo(page, pathOf('first@example.com'));
  await expectSeen(page.getByRole('status').getByText('This person is being read'));
  let releaseHistory = await holdBack(page, history);
  releasePerson();
  await page.unroute(person);
  const facts = factsOf(page);
  await expectSeen(facts.getByRole('status').getByText('The history is being read.'));
  releaseHistory();
  await expectSeen(facts.getByText('Known for the first time'));
  await expectGone(facts.getByText('The history is being read.'));

  await page.unroute(history);
  releaseHistory = await holdBack(page, history);
  await goTo(page, pathOf('second@example.com'));
  await expectSeen(detailOf(page, 'second@example.com'));
  await expectSeen(facts.getByText('The history is being read.'));
  expect(await facts.getByText('Known for the first time').count()).toBe(0);
  releaseHistory();
  await expectSeen(facts.getByText('Known for the first time'));
});

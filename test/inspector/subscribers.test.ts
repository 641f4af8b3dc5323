import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PeopleView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { startReceiver } from '../delivery/support.ts';
import { checkAccess, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { act } from '../support/world.ts';
import { xss } from '../support/xss.ts';
import { knownAt } from '../support/people.ts';

const inspector = useInspector();
const ada = { phone: '+15555550100', email: 'ada@example.com' };
const key = 'a-key-of-the-test';

const control = <T>(method: string, path: string, json?: unknown): Promise<T> =>
  act<T>(inspector.sandbox, method, path, json);
const call = (path: string, json: unknown) => inspector.sandbox.call('POST', path, { json });
const compose = (json: object): Promise<{ id: string }> =>
  control('POST', '/control/messages', { companyId: demoCompany, ...json });

async function idOf(search: string): Promise<string> {
  const query = new URLSearchParams({ companyId: demoCompany, search });
  const { people } = await control<PeopleView>('GET', `/control/people?${query}`);
  return people[0]?.id ?? '';
}
async function open(path = ''): Promise<Page> {
  const page = await inspector.open(`/subscribers${path}`);
  return page;
}
async function openAda(): Promise<Page> {
  const page = await open(`/${await idOf('ada@')}`);
  await page.getByRole('heading', { name: '+1 555 555 0100', exact: true }).waitFor();
  return page;
}

/** A receiver with a webhook for these events; returns the received types, after verifying each signature. */
async function hear(...events: readonly string[]): Promise<() => readonly string[]> {
  const receiver = await startReceiver();
  await control('POST', '/control/webhooks', { url: receiver.url, events, companyId: demoCompany, signingKey: key });
  return () =>
    receiver.got.map(({ body, headers }) => {
      const expected = createHmac('sha256', key).update(body).digest('hex');
      expect(headers['x-attentive-hmac-sha256']).toBe(expected);
      return (JSON.parse(body) as { readonly type: string }).type;
    });
}

const phoneOf = (page: Page) => page.getByRole('region', { name: 'Phone, simulated' });
const inboxOf = (page: Page) => page.getByRole('region', { name: 'Inbox, simulated' });

/** What is said of the shown email, `mail`. From the page, as it does itself: no script runs in the frame, not even one of a test. */
const lookInto = <R>(page: Page, code: string): Promise<R> =>
  page.evaluate<R>(`(({ contentDocument: mail }) => ${code})(document.querySelector('iframe'))`);

test('a link tapped on the simulated phone is reported by a signed webhook, and shown under the text', async () => {
  const got = await hear('sms.message_link_click');
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: '30% off: https://shop.example.com/deals' });
  const page = await openAda();
  const phone = phoneOf(page);
  const link = phone.getByRole('button', { name: /\/l\// });
  expect(await link.getAttribute('title')).toBe('Leads to https://shop.example.com/deals');
  await link.click();
  await page.getByRole('status').getByText('Link tapped').waitFor();
  await expect.poll(got).toEqual(['sms.message_link_click']);
  await phone.getByText('sms.message_link_click').waitFor();
  await phone.getByRole('link', { name: 'delivered' }).click();
  await expect.poll(() => page.url()).toContain('/webhooks?delivery=');
});

test('an opened email is reported once, however often it is viewed', async () => {
  const got = await hear('email.opened');
  for (const subject of ['Low tide', 'High tide'])
    await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject, text: 'Everything that wades' });
  const page = await openAda();
  const inbox = inboxOf(page);
  await inbox.getByRole('button', { name: /Unopened: Low tide/ }).click();
  await inbox.getByText('email.opened').waitFor();
  await inbox.getByRole('button', { name: /High tide/ }).click();
  await inbox.getByRole('heading', { name: 'High tide' }).waitFor();
  await inbox.getByRole('button', { name: /^Low tide/ }).click();
  await inbox.getByRole('link', { name: 'delivered' }).waitFor();
  await expect.poll(got).toEqual(['email.opened', 'email.opened']);
  await inbox.getByRole('button', { name: 'Open again' }).click();
  await expect.poll(() => got().length).toBe(3);
  await inbox.getByText('opened 2 times').waitFor();
});

test('links in the HTML of an email can be followed, and nothing else in it is active', async () => {
  const got = await hear('email.message_link_click');
  const html = `<style>p{color:red}</style><p style="color:#333333">Hello <a href="https://shop.example.com/w">See the waders</a>
    <a href="javascript:window.top.__xss=1">bad</a><script>parent.__xss=1</script><img src="https://x.example/a.png" alt="A bird">${xss}</p>`;
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Waders', text: 'Waders', html });
  const page = await openAda();
  await inboxOf(page)
    .getByRole('button', { name: /Waders/ })
    .click();
  const look = <R>(code: string): Promise<R> => lookInto<R>(page, code);
  await expect.poll(() => look<string>('mail.body.innerText')).toContain('A bird');
  expect(await look<number>(`mail.querySelectorAll('script, style, iframe, svg, img, form, link').length`)).toBe(0);
  expect(await look<number>(`mail.querySelectorAll('[onerror], [onload], [onmouseover]').length`)).toBe(0);
  expect(await look<string>(`[...mail.querySelectorAll('a')].map((one) => one.getAttribute('href')).join()`)).toBe('#');
  const press = async (selector: string): Promise<void> => {
    const frame = await page.locator('iframe').boundingBox();
    const at = await look<{ x: number; y: number }>(
      `mail.querySelector('${selector}').getBoundingClientRect().toJSON()`,
    );
    await page.mouse.click((frame?.x ?? 0) + at.x + 5, (frame?.y ?? 0) + at.y + 5);
  };
  await press('.dead');
  await press('a');
  await expect.poll(got).toEqual(['email.message_link_click']);
  expect(await page.evaluate<unknown>('window.__xss')).toBeUndefined();
  await inboxOf(page).getByRole('button', { name: 'Source' }).click();
  await inboxOf(page).getByText('<script>parent.__xss=1</script>').waitFor();
});

test('an email has its colours, the direction of its writing and the price that no longer holds, and hides what it hides', async () => {
  const html = `<html dir="rtl"><head><title>No</title></head><body style="background:#112233">
    <div style="display:none !important">Preview</div><p>שלום (30%).</p><del>$49</del>
    <a href="https://shop.example.com/w" style="background: #00aa77; color: #ffffff">Buy</a><font color="#ff0000">Now</font></body></html>`;
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Waders', text: 'Waders', html });
  const page = await openAda();
  await inboxOf(page)
    .getByRole('button', { name: /Waders/ })
    .click();
  await expect.poll(() => lookInto<string>(page, 'mail.body.innerText')).toContain('Buy');
  expect(await lookInto<string>(page, 'mail.body.innerText')).not.toContain('Preview');
  const styleOf = (selector: string, property: string): Promise<string> =>
    lookInto(
      page,
      `mail.defaultView.getComputedStyle(mail.querySelector('${selector}')).getPropertyValue('${property}')`,
    );
  expect(await styleOf('body > div > div', 'background-color')).toBe('rgb(17, 34, 51)');
  expect(await styleOf('a', 'background-color')).toBe('rgb(0, 170, 119)');
  expect(await styleOf('a', 'color')).toBe('rgb(255, 255, 255)');
  expect(await styleOf('a + span', 'color')).toBe('rgb(255, 0, 0)');
  expect(await styleOf('del', 'text-decoration-line')).toBe('line-through');
  expect(await styleOf('p', 'direction')).toBe('rtl');
});

test('an email shows nothing for what is hidden or decoration, and says under it what is left out', async () => {
  const html = `<style>p{color:red}</style><p>Hello</p><p hidden>Secret</p><img src="https://x.example/a.png" alt="">
    <img src="https://x.example/b.png" alt="A bird" style="display: none"><img src="data:image/png;base64,AA==" alt="A wader">`;
  const mail = { subscriber: { email: ada.email }, channel: 'EMAIL', text: 'Hello' };
  await compose({ ...mail, subject: 'Plain', html: '<!-- <style></style> --><p>Hello</p>' });
  await compose({ ...mail, subject: 'Waders', html });
  const page = await openAda();
  const inbox = inboxOf(page);
  await inbox.getByRole('button', { name: /Waders/ }).click();
  await expectSeen(inbox.getByText('The style sheets and images of this email are left out here.'));
  await expect.poll(() => lookInto<string>(page, 'mail.body.innerText.trim()')).toMatch(/^Hello\s+A wader$/);
  await inbox.getByRole('button', { name: /Plain/ }).click();
  await inbox.getByRole('heading', { name: 'Plain' }).waitFor();
  expect(await inbox.getByText('left out here').count()).toBe(0);
});

test('what is written from right to left is shown so on the phone and in the inbox, and its link from left to right', async () => {
  const text = 'שלום עולם! https://shop.example.com/a תודה.';
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text });
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'שלום!', text });
  const page = await openAda();
  await inboxOf(page).getByRole('button', { name: /שלום/ }).click();
  await inboxOf(page).getByRole('heading', { name: 'שלום!' }).waitFor();
  const directionOf = (selector: string): Promise<string> =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).direction);
  for (const one of ['.sub-bubble', '.sub-mail h3', '.sub-mailtext', '.sub-mailrow b', '.sub-mailrow > span'])
    expect(await directionOf(one), one).toBe('rtl');
  expect(await directionOf('.sub-bubble .sub-link')).toBe('ltr');
});

test('a text that is sent after time went back has its own date on the phone', async () => {
  const send = (text: string) => compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text });
  await control('POST', '/control/clock', { freeze: true });
  for (const [time, text] of [
    ['2026-03-01T00:00:00Z', 'Spring'],
    ['2025-01-01T00:00:00Z', 'Winter'],
  ] as const) {
    await control('POST', '/control/clock', { set: time });
    await send(text);
  }
  const page = await openAda();
  await phoneOf(page).getByText('Winter').waitFor();
  expect(await phoneOf(page).locator('.sub-when').allTextContents()).toEqual([
    '1 Mar 2026, 00:00',
    '1 Jan 2025, 00:00',
  ]);
});

test('the unsubscribe link of an email ends the email subscriptions, which is still said after a reload', async () => {
  const got = await hear('email.unsubscribed');
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Low tide', text: 'Hello' });
  const page = await openAda();
  await inboxOf(page)
    .getByRole('button', { name: /Low tide/ })
    .click();
  await inboxOf(page).getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('status').getByText('Ended the MARKETING subscription by EMAIL').waitFor();
  await expect.poll(got).toEqual(['email.unsubscribed']);
  await inboxOf(page).getByText('email.unsubscribed').waitFor();
  await page.getByRole('button', { name: 'Subscribe to MARKETING by EMAIL again' }).waitFor();
  await page.reload();
  await expectSeen(page.getByText('by the unsubscribe link of “Low tide”, unit 100001, recorded 2 times'));
  await inboxOf(page)
    .getByRole('button', { name: /Low tide/ })
    .click();
  await expectSeen(inboxOf(page).getByText('Ended the MARKETING subscription by EMAIL at'));
  await expect.poll(() => inboxOf(page).innerText()).toMatch(/email\.unsubscribed fired:\s+delivered/);
});

test('a person who is subscribed to nothing is said so once', async () => {
  const user = { phone: '+15555550177', email: 'looks@example.com' };
  await call('/events/custom', { type: 'Looked', properties: { sku: '1' }, user });
  const page = await open(`/${await idOf('looks@')}`);
  await page.getByRole('region', { name: 'Subscriptions' }).getByText('looks@example.com').waitFor();
  expect(await page.getByText('Not subscribed').count()).toBe(1);
});

test('STOP ends the text subscriptions, and names the source of each effect, also after a reload', async () => {
  const got = await hear('sms.unsubscribed');
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Sale' });
  const page = await openAda();
  const phone = phoneOf(page);
  await phone.getByRole('button', { name: 'STOP' }).click();
  await phone.getByText('Ended the MARKETING subscription by TEXT at').waitFor();
  await expect.poll(got).toEqual(['sms.unsubscribed']);
  await phone.getByText('sms.unsubscribed is not in the specification').waitFor();
  expect(await phone.getByRole('img', { name: /^Observed/ }).count()).toBe(2);
  await phone.getByText('You are unsubscribed').waitFor();
  await page.getByText('by reply “STOP”').waitFor();
  await phone.getByRole('textbox', { name: /^Reply as/ }).fill('Where is my order?');
  await phone.getByRole('button', { name: 'Send the reply' }).click();
  await phone.getByText('Stored the reply.').waitFor();
  const stored = phone.getByText('sms.inbound_message fired, but no webhook listens to it');
  await stored.waitFor();
  await page.reload();
  await expectSeen(stored);
  await expect.poll(() => phone.innerText()).toMatch(/sms\.unsubscribed fired:\s+delivered/);
});

test('a text composed in the window appears on the phone, which says that its time is virtual, and is reported as sent', async () => {
  const got = await hear('sms.sent');
  await control('POST', '/control/clock', { advance: '1h' });
  const page = await openAda();
  await page.getByText('No texts yet').waitFor();
  await phoneOf(page).getByText('virtual time').waitFor();
  await page.keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: /^Compose to/ });
  await sheet
    .getByRole('textbox', { name: 'Text' })
    .fill('Come in: https://shop.example.com/a and javascript:alert(1)');
  await sheet.getByRole('button', { name: 'Send the text' }).click();
  await phoneOf(page).getByText('Come in:').waitFor();
  await expect.poll(got).toEqual(['sms.sent']);
  await phoneOf(page).getByRole('link', { name: 'delivered' }).waitFor();
  expect(
    await phoneOf(page)
      .getByRole('button', { name: /\/l\/|javascript/ })
      .count(),
  ).toBe(1);
});

test('a person who is not subscribed gets a message only if that is forced', async () => {
  const page = await open(`/${await idOf('mary@')}`);
  await page.getByRole('button', { name: 'Send a message' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: 'Subject' }).fill('Hello');
  await sheet.getByRole('textbox', { name: /^Text/ }).fill('Hello Mary');
  await sheet.getByRole('button', { name: 'Send the email' }).click();
  await sheet.getByRole('alert').getByText('is not subscribed by EMAIL').waitFor();
  await sheet.getByRole('checkbox', { name: 'Send anyway' }).check();
  await sheet.getByRole('button', { name: 'Send the email' }).click();
  await expectSeen(inboxOf(page).getByRole('button', { name: /Unopened: Hello/ }));
});

test('the search finds a person by each identifier', async () => {
  await call('/identity-resolution/user-identifiers', {
    phone: '+15555550150',
    email: 'ines@example.com',
    clientUserId: 'c-10042',
    customIdentifiers: [{ name: 'loyaltyId', value: 'L-1122' }],
  });
  const page = await open();
  await page.getByText('6 people').waitFor();
  for (const text of ['(555) 555-0150', 'INES@', 'c-10042', 'L-1122', 'loyaltyid']) {
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await page.getByText('1 match').waitFor();
    await page.getByRole('row', { name: '+1 555 555 0150' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('6 people').waitFor();
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('/');
  await page.keyboard.type('L-1122');
  await page.getByText('1 match').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '+1 555 555 0150', exact: true }).waitFor();
  await expect.poll(() => page.url()).toContain('search=L-1122');
});

test('subscriptions and attributes are set by real requests, and their rows link to them', async () => {
  const page = await openAda();
  await page.getByRole('button', { name: 'Unsubscribe from MARKETING by TEXT' }).click();
  await page.getByRole('status').getByText('Unsubscribed from MARKETING by TEXT').waitFor();
  await page.getByRole('button', { name: 'Subscribe to MARKETING by TEXT again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByRole('button', { name: 'Unsubscribe from MARKETING by TEXT' }).waitFor();

  await page.getByRole('button', { name: 'Set an attribute' }).click();
  const sheet = page.getByRole('dialog', { name: 'Set an attribute' });
  await sheet.getByRole('combobox', { name: /^Attribute/ }).click();
  await page.getByRole('option', { name: /favorite color/ }).click();
  await sheet.getByRole('combobox', { name: /^Value/ }).click();
  await page.getByRole('option', { name: 'green' }).click();
  await sheet.getByRole('button', { name: 'Set the attribute' }).click();
  const attributes = page.getByRole('region', { name: 'Attributes' });
  await attributes.getByText('"green"').waitFor();

  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('favorite color set to green').waitFor();
  await history.getByText('Subscribed to MARKETING by TEXT').first().waitFor();
  await attributes.getByRole('link', { name: 'The request: POST /attributes/custom' }).click();
  await expect.poll(() => page.url()).toContain('/requests/req_');
  await page.getByRole('article', { name: 'Request' }).getByText('/attributes/custom').first().waitFor();
});

test('a refused call says why, in place', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New subscriber' });
  await sheet.getByRole('textbox', { name: 'Phone' }).fill('555 0177');
  await sheet.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await sheet.getByRole('alert').getByText('is not in E.164 form').waitFor();
  await sheet.getByRole('textbox', { name: 'Phone' }).fill('+15555550177');
  await sheet.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expectSeen(page.getByRole('heading', { name: '+1 555 555 0177', exact: true }));
  await phoneOf(page).getByText('Reply Y to confirm').waitFor();
});

test('what has the focus in the history keeps it, with its payload unfolded, while more happens', async () => {
  const order = { type: 'Order Shipped', properties: { carrier: 'fedex' }, user: ada };
  await call('/events/custom', order);
  const page = await openAda();
  const history = page.getByRole('region', { name: 'History' });
  const shipped = history.getByRole('button', { name: 'Event Order Shipped' });
  await shipped.focus();
  await page.keyboard.press('Enter');
  const payload = history.getByText('"carrier": "fedex"');
  await expectSeen(payload);
  await call('/events/custom', { ...order, type: 'Order Lost' });
  await expectSeen(history.getByRole('button', { name: 'Event Order Lost' }));
  expect(await shipped.evaluate((one) => one === document.activeElement)).toBe(true);
  // Its height is that of the unfolded one, wherever it is now.
  const end = async (): Promise<number> => {
    const box = await payload.boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0);
  };
  const next = history.getByRole('listitem').nth(2);
  await expect.poll(async () => ((await next.boundingBox())?.y ?? 0) - (await end())).toBeGreaterThanOrEqual(0);
});

test('the filters of a history are in one line, and every address of the person can be read and chosen', async () => {
  const emails = ['ada.second@example.com', `${'ada.'.repeat(14)}third@some-longer-domain.example.com`];
  for (const email of emails) await call('/subscriptions', { user: { ...ada, email }, signUpSourceId: '100001' });
  await hear('sms.sent');
  for (let n = 0; n < 12; n += 1) {
    await call('/events/custom', { type: 'Order Shipped', properties: { a: '1' }, user: { phone: ada.phone } });
    await call('/attributes/custom', { user: { phone: ada.phone }, properties: { size: String(n) } });
    await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Sale' });
  }
  const page = await openAda();
  const chips = page.getByRole('group', { name: 'Entries of the history' }).getByRole('button');
  await expect
    .poll(() => chips.allInnerTexts())
    .toEqual([expect.any(String), ...Array(4).fill(expect.stringMatching(/ \d\d$/))]);
  expect(new Set(await chips.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))).size).toBe(1);
  const value = page.getByRole('region', { name: 'Identities' }).getByText('ada.second@example.com');
  expect(await value.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  const choice = inboxOf(page).getByRole('combobox', { name: /^Email address/ });
  await choice.click();
  const long = page.getByRole('option', { name: emails[1] ?? '' }).locator('span');
  expect(await long.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await long.click();
  expect(await choice.evaluate((one) => one.getBoundingClientRect().right <= innerWidth)).toBe(true);
});

test('an event expands to its payload, and the history is filtered by kind', async () => {
  for (let n = 0; n < 3; n += 1)
    await call('/events/custom', { type: 'Order Shipped', properties: { carrier: 'fedex' }, user: ada });
  const page = await openAda();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: 'API events 3' }).click();
  await expect.poll(() => history.getByRole('listitem').count()).toBe(3);
  await history.getByRole('button', { name: 'Event Order Shipped' }).first().click();
  await history.getByText('"carrier": "fedex"').waitFor();
  await history.getByRole('button', { name: /^Webhooks/ }).click();
  await history.getByText('Nothing was sent to a webhook yet.').waitFor();
});

test('five thousand people and two thousand events are scrolled with few rows in the page', async () => {
  const { store, users } = inspector.sandbox.emulator.deps;
  const at = '2026-01-01T00:00:00.000Z';
  const user = store.transact(() => {
    for (let n = 0; n < 5_000; n += 1) users.findOrMake(demoCompany, { email: `p${n}@example.com` }, knownAt(at));
    return users.findOrMake(demoCompany, { email: 'ada@example.com' }, knownAt(at));
  }).result;
  store.transact(() => {
    for (let n = 0; n < 2_000; n += 1)
      store.events.put({
        id: `event-${n}`,
        companyId: demoCompany,
        userId: user.id,
        kind: 'custom',
        type: `Event ${n}`,
        externalEventId: null,
        occurredAt: at,
        receivedAt: new Date(Date.parse(at) + n).toISOString(),
        startsJourneys: true,
        body: {},
      });
  });
  const page = await openAda();
  await page.getByText('5,005 people').waitFor();
  const list = page.getByRole('grid', { name: 'People, newest first' });
  await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await list.getByText('+1 555 555 0101').waitFor();
  await page.getByRole('button', { name: /^API events\s*2,0\d\d$/ }).waitFor();
  await page
    .getByRole('region', { name: 'Facts and history' })
    .evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await page.getByText('Event Event 0', { exact: true }).waitFor();
  expect(await list.getByRole('row').count()).toBeLessThan(60);
  expect(await page.getByRole('region', { name: 'History' }).getByRole('listitem').count()).toBeLessThan(80);
  await page.keyboard.press('/');
  await page.keyboard.type('p4321@');
  await page.getByText('1 match').waitFor();
});

test('everything can be reached with the keyboard alone', async () => {
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Go to https://shop.example.com/a' });
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Low tide', text: 'Hello' });
  const page = await open();
  await page.getByText('5 people').waitFor();
  for (let n = 0; n < 5; n += 1) await page.keyboard.press('j');
  await page.getByRole('heading', { name: '+1 555 555 0100', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, phoneOf(page).getByRole('button', { name: /\/l\// }));
  await page.keyboard.press('Enter');
  await phoneOf(page).getByText('fired, but no webhook listens to it').waitFor();
  await tabTo(page, phoneOf(page).getByRole('textbox'));
  await page.keyboard.type('help');
  await page.keyboard.press('Enter');
  await phoneOf(page).getByText('Sent the help text.').waitFor();
  await tabTo(page, inboxOf(page).getByRole('button', { name: /Low tide/ }));
  await page.keyboard.press('Enter');
  await inboxOf(page).getByRole('heading', { name: 'Low tide' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate<string>('document.activeElement.getAttribute("role")')).toBe('grid');
});

test('hostile text in every field is only text', async () => {
  await call('/identity-resolution/user-identifiers', {
    phone: ada.phone,
    clientUserId: xss.slice(0, 90),
    customIdentifiers: [{ name: xss.slice(0, 100), value: xss.slice(100, 200) }],
  });
  await call('/attributes/custom', { user: ada, properties: { [xss.slice(0, 200)]: xss } });
  await call('/events/custom', { type: 'Order Shipped', properties: { text: xss }, externalEventId: xss, user: ada });
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', name: xss.slice(0, 200), text: xss });
  await compose({
    subscriber: { email: ada.email },
    channel: 'EMAIL',
    subject: xss.slice(0, 500),
    text: xss,
    html: xss,
  });
  const page = await openAda();
  await page.keyboard.press('/');
  // What is inserted at once, unlike a key, does not wait until the view listens.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.insertText(xss.slice(0, 400));
  await page.getByText('No one found').waitFor();
  await phoneOf(page).getByRole('button', { name: 'HELP' }).click();
  await inboxOf(page)
    .getByRole('button', { name: /Unopened/ })
    .click();
  await page.locator('iframe').waitFor();
  await page
    .getByRole('region', { name: 'History' })
    .getByRole('button', { name: /^Event Order Shipped/ })
    .click();
  await inboxOf(page).getByText('email.opened').waitFor();
  expect(await page.evaluate<unknown>('window.__xss')).toBeUndefined();
});

test('an email that becomes narrower, as beside a scrollbar, is still shown down to its end', async () => {
  const html = 'one two '.repeat(90);
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Long', text: 'Long', html });
  const page = await openAda();
  await inboxOf(page).getByRole('button', { name: /Long/ }).click();
  const isWhole = (): Promise<boolean> => lookInto(page, 'mail.body.scrollHeight <= mail.defaultView.innerHeight');
  await expect.poll(() => lookInto(page, 'mail.body.innerText')).toContain('one two');
  expect(await isWhole()).toBe(true);
  await page.locator('iframe').evaluate((frame) => (frame.style.width = '200px'));
  await expect.poll(isWhole).toBe(true);
});

test('what is typed after “c” is the text, and Ctrl+Enter sends it', async () => {
  const page = await openAda();
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Hello Ada');
  await page.keyboard.press('Control+Enter');
  await expectSeen(phoneOf(page).getByText('Hello Ada'));
});

test('for an email to a person without an address, the sheet says why it cannot be sent', async () => {
  await call('/subscriptions', { user: { phone: '+15555550177' }, signUpSourceId: '100001' });
  const page = await open(`/${await idOf('5550177')}`);
  await page.getByRole('button', { name: 'Compose' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Email', exact: true }).click();
  await expectSeen(page.getByRole('dialog').getByText('This person has no email address.'));
});

test('a deleted person is reported as such, and a person without messages shows what to do', async () => {
  const page = await openAda();
  inspector.allowErrors(/404/);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Request deletion…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Request deletion' }).click();
  await expectSeen(page.getByText('No one has this id'));
});

test('the view is accessible in both themes', async () => {
  await call('/attributes/custom', { user: ada, properties: { birthday: '1986-11-16' } });
  await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Go to https://shop.example.com/a' });
  await compose({
    subscriber: { email: ada.email },
    channel: 'EMAIL',
    subject: 'Low tide',
    text: 'Hello https://shop.example.com/b',
  });
  const page = await openAda();
  await phoneOf(page).getByRole('button', { name: 'HELP' }).click();
  await phoneOf(page).getByText('Sent the help text.').waitFor();
  await inboxOf(page)
    .getByRole('button', { name: /Low tide/ })
    .click();
  await inboxOf(page).getByText('email.opened').waitFor();
  await checkAccess(page);
});

test('the form for a message is accessible in both themes', async () => {
  const page = await openAda();
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  await checkAccess(page);
});

test.each([
  [2, /email\.opened fired:\s+delivered,\s+delivered ·/],
  [4, /email\.opened fired, the newest deliveries:\s+delivered,\s+delivered,\s+delivered ·/],
])('an act that %s webhooks were told of shows their states apart', async (count, says) => {
  for (let left = count; left > 0; left -= 1) await hear('email.opened');
  await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Low tide', text: 'Everything' });
  const page = await openAda();
  const inbox = inboxOf(page);
  await inbox.getByRole('button', { name: /Unopened: Low tide/ }).click();
  await inbox.getByText('email.opened').waitFor();
  await expect.poll(() => inbox.innerText()).toMatch(says);
});

test('a link to a subscriber far down the list scrolls the list to them', async () => {
  const first = await idOf('ada@');
  for (let count = 0; count < 260; count += 1)
    await inspector.sandbox.call('POST', '/subscriptions', {
      json: { user: { email: `visitor-${count}@example.com` }, signUpSourceId: '100002' },
    });
  const page = await open(`/${first}`);
  const row = page.getByRole('grid', { name: /^People/ }).getByRole('row', { selected: true });
  await row.getByText('+1 555 555 0100').waitFor();
  await goTo(page, `/subscribers/${await idOf('visitor-0@')}`);
  await expectSeen(row.getByText('visitor-0@example.com'));
});

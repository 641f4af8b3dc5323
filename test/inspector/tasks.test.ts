/** What a person comes for, in how many steps, by mouse and by keyboard. Looking back, advancing: timeline.test.ts. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { startReceiver } from '../delivery/support.ts';
import { copyOf, goTo, useInspector } from '../support/browser.ts';
import { askPalette, palette, toast } from '../support/frame.ts';
import { nextFrame } from '../support/hold-back.ts';
import { createSteps } from '../support/steps.ts';

const inspector = useInspector();
// A reset does not change it.
afterEach(async () => {
  await inspector.sandbox.control('DELETE', '/control/receiver');
});

async function refused(key?: string): Promise<string> {
  const json = { user: { phone: key ? '+15555550123' : '5555550100' }, signUpSourceId: '100001' };
  const answer = await inspector.sandbox.call('POST', '/subscriptions', { json, ...(key && { key }) });
  return (await answer.exchange()).id;
}
const rows = (page: Page) => page.locator('.rowsin > .row');
const explained = (page: Page) => page.getByText('The phone "5555550100" is not in E.164 form.').first();

/**
 * A webhook to a receiver that answers with this status, with one delivery. The clock is frozen: nothing is tried again
 * while the page opens.
 */
async function delivered(status: number): Promise<string> {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const receiver = await startReceiver((response) => void response.writeHead(status).end());
  const made = await inspector.sandbox.control('POST', '/control/webhooks', {
    url: receiver.url,
    events: ['email.opened'],
  });
  const event = {
    type: 'email.opened',
    to: (made.body as { id: string }).id,
    subscriber: { email: 'ada@example.com' },
  };
  const fired = await inspector.sandbox.control('POST', '/control/trigger', event);
  expect(fired.status).toBeLessThan(300);
  return receiver.url;
}
const behaviour = async () => {
  const { body } = await inspector.sandbox.control('GET', '/control/receiver');
  return body as { readonly running: boolean; readonly behaviour: { readonly status: number } };
};

test('the first explained request: two steps by mouse', async () => {
  await refused();
  const page = await inspector.open('/');
  const steps = createSteps();
  await steps.do(() =>
    page
      .getByRole('link', { name: /^Requests/ })
      .first()
      .click(),
  );
  await steps.do(() => rows(page).first().click());
  await explained(page).waitFor();
  expect(steps.count).toBe(2);
});

test('the first explained request: two steps by keyboard', async () => {
  await refused();
  const page = await inspector.open('/');
  const steps = createSteps();
  await steps.do(() => page.keyboard.press('Control+2'));
  await rows(page).first().waitFor();
  await steps.do(() => page.keyboard.press('j'));
  await explained(page).waitFor();
  expect(steps.count).toBe(2);
});

test('fix and replay: one step, by mouse and by keyboard', async () => {
  const page = await inspector.open(`/requests/${await refused()}`);
  await explained(page).waitFor();
  const [mouse, keyboard] = [createSteps(), createSteps()];
  await mouse.do(() => page.getByRole('button', { name: 'Replay with this fix' }).click());
  await toast(page, 'Replayed with the fix: 202').waitFor();
  const second = await refused();
  await goTo(page, `/requests/${second}`);
  await page.getByRole('button', { name: 'Replay with this fix' }).waitFor();
  const sent = () => inspector.sandbox.emulator.recorder.all().filter(({ status }) => status === 202).length;
  const before = sent();
  await keyboard.do(() => page.keyboard.press('f'));
  await expect.poll(sent).toBe(before + 1);
  expect([mouse.count, keyboard.count]).toEqual([1, 1]);
});

test.each([
  [
    'mouse',
    (page: Page) => rows(page).first().click(),
    (page: Page) => page.getByRole('button', { name: 'Grant and replay' }).click(),
  ],
  ['keyboard', (page: Page) => page.keyboard.press('j'), (page: Page) => page.keyboard.press('f')],
])('grant a missing scope and replay: two steps by %s', async (_by, choose, grant) => {
  await refused('sandpiper-readonly-key');
  const page = await inspector.open('/requests');
  await rows(page).first().waitFor();
  const steps = createSteps();
  await steps.do(() => choose(page));
  await page.getByRole('button', { name: 'Grant and replay' }).waitFor();
  await steps.do(() => grant(page));
  await toast(page, 'Granted subscriptions:write to “Read-only app”; replayed: 202').waitFor();
  expect(steps.count).toBe(2);
});

test.each([
  [
    'mouse',
    (page: Page) =>
      page
        .getByRole('link', { name: /^Webhooks/ })
        .first()
        .click(),
  ],
  ['keyboard', (page: Page) => page.keyboard.press('Control+4')],
])('why did this receiver fail: one step by %s', async (_by, go) => {
  await delivered(503);
  const page = await inspector.open('/requests');
  const steps = createSteps();
  await steps.do(() => go(page));
  const shown = page.getByRole('article', { name: 'Delivery' });
  await shown.getByText('503').first().waitFor();
  await shown.getByRole('group', { name: 'Answered at attempt 1' }).waitFor();
  expect(steps.count).toBe(1);
});

test('copy a test: one step by mouse', async () => {
  const page = await inspector.open(`/requests/${await refused()}`);
  await explained(page).waitFor();
  const steps = createSteps();
  const copy = await copyOf(page, () => steps.do(() => page.getByRole('button', { name: 'Copy a test' }).click()));
  await toast(page, 'Copied as a test with its own sandbox').waitFor();
  expect(copy).toContain('createSandbox()');
  expect(steps.count).toBe(1);
});

test('copy a test: one step by keyboard', async () => {
  const page = await inspector.open(`/requests/${await refused()}`);
  await explained(page).waitFor();
  const steps = createSteps();
  await steps.do(async () => {
    await askPalette(page, 'test with its own sandbox');
    await palette(page)
      .getByRole('option', { name: /test with its own sandbox/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  });
  await toast(page, 'Copied as a test with its own sandbox').waitFor();
  expect(steps.count).toBe(1);
});

test('make a fault from a delivery: two steps by mouse, and undo restores the receiver', async () => {
  await delivered(503);
  const page = await inspector.open('/webhooks');
  await page.getByRole('article', { name: 'Delivery' }).getByText('503').first().waitFor();
  const steps = createSteps();
  await steps.do(() => page.getByRole('button', { name: 'More for this delivery' }).click());
  await steps.do(() => page.getByRole('menuitem', { name: 'Let the built-in receiver do the same' }).click());
  await toast(page, /^The built-in receiver answers 503 after \d+ ms from now on$/).waitFor();
  expect(steps.count).toBe(2);
  expect(await behaviour()).toMatchObject({ running: true, behaviour: { status: 503 } });
  // The panel of the receiver is beside it, with a webhook to it one click away.
  await page.getByRole('button', { name: 'Create a webhook to it' }).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await behaviour()).running).toBe(false);
});

test('make a fault from a delivery: two steps by keyboard', async () => {
  await delivered(410);
  const page = await inspector.open('/webhooks');
  await page.getByRole('article', { name: 'Delivery' }).getByText('410').first().waitFor();
  const steps = createSteps();
  await steps.do(async () => {
    await askPalette(page, 'receiver do the same');
    await palette(page)
      .getByRole('option', { name: /Let the built-in receiver do the same/ })
      .waitFor();
  });
  await steps.do(() => page.keyboard.press('Enter'));
  await toast(page, /^The built-in receiver answers 410/).waitFor();
  expect(steps.count).toBe(2);
  expect((await behaviour()).behaviour.status).toBe(410);
});

test.each([
  ['refuses connections', null],
  ['closes connections without an answer', (response: ServerResponse) => void response.socket?.resetAndDestroy()],
])('a delivery without an answer is made a fault too: the built-in receiver %s', async (does, answer) => {
  const receiver = await startReceiver(answer ?? undefined);
  if (answer === null) await receiver.close();
  const { control } = inspector.sandbox;
  const made = await control('POST', '/control/webhooks', { url: receiver.url, events: ['email.opened'] });
  const subscriber = { email: 'ada@example.com' };
  await control('POST', '/control/trigger', { type: 'email.opened', to: (made.body as { id: string }).id, subscriber });
  const page = await inspector.open('/webhooks');
  const steps = createSteps();
  await steps.do(() => page.getByRole('button', { name: 'More for this delivery' }).click());
  await steps.do(() => page.getByRole('menuitem', { name: 'Let the built-in receiver do the same' }).click());
  await toast(page, `The built-in receiver ${does} from now on`).waitFor();
  expect(steps.count).toBe(2);
  const connection = answer === null ? 'refused' : 'reset';
  expect(await behaviour()).toMatchObject({ running: true, behaviour: { connection } });
  await page.getByRole('button', { name: connection, exact: true, pressed: true }).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await behaviour()).running).toBe(false);
});

test('from the chain of a request: the signature of a delivery that was answered 401 is checked, with that delivery in it', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(401).end());
  await inspector.sandbox.control('POST', '/control/webhooks', { url: receiver.url, events: ['sms.subscribed'] });
  const json = { user: { phone: '+15555550123' }, signUpSourceId: '100001' };
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
  await receiver.count(1);
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('link', { name: 'Check the signature' }).click();
  const sent = receiver.got[0]?.headers['webhook-id'];
  await page
    .getByText(/^Compared with what was sent to/)
    .getByText(String(sent))
    .waitFor();
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA');
});

test('from the chain of a request: the host of a webhook is allowed and the event sent again; undo takes it back', async () => {
  const made = await inspector.sandbox.control('POST', '/control/webhooks', {
    url: 'http://10.255.255.1:9/hook',
    events: ['sms.subscribed'],
  });
  const hook = (made.body as { readonly id: string }).id;
  const reachOf = () => inspector.sandbox.emulator.deps.store.webhooks.get(hook)?.reach;
  const json = { user: { phone: '+15555550123' }, signUpSourceId: '100001' };
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByText('Lets this webhook reach private networks, then sends the event again.').waitFor();
  expect(reachOf()).toBe('loopback');
  // What else happens to the people of the request is read, and takes nothing away.
  const allow = page.getByRole('button', { name: 'Allow the host and send again' });
  await allow.focus();
  const again = page.waitForResponse(/\/chain$/);
  await inspector.sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: json.user } });
  await (await again).finished();
  await nextFrame(page);
  expect(await allow.evaluate((button) => button === document.activeElement)).toBe(true);
  await allow.click();
  await toast(page, /^Allowed 10\.255\.255\.1:9/).waitFor();
  expect(reachOf()).toBe('private');
  await page.keyboard.press('Control+z');
  await expect.poll(reachOf).toBe('loopback');
});

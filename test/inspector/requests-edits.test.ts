import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';

const inspector = useInspector();
const editor = (page: Page) => page.getByRole('form', { name: 'Edit and replay' });
const path = (page: Page) => editor(page).getByRole('textbox', { name: 'Path and query' });
const rows = (page: Page) => page.getByRole('grid', { name: 'Requests, newest first' }).getByRole('row');
const discarded = (page: Page) => toast(page, 'The edits were discarded');

/** A page that edits the older one of two requests. */
async function openEditor(): Promise<{ readonly page: Page; readonly id: string }> {
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  await inspector.sandbox.call('GET', '/webhooks');
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByTitle(id).first().waitFor();
  await page.keyboard.press('e');
  await path(page).fill('/v1/edited');
  return { page, id };
}

test.each<readonly [string, (page: Page) => Promise<unknown>]>([
  ['another row is chosen', (page) => rows(page).filter({ hasText: '/webhooks' }).click()],
  ['another section is shown', (page) => page.getByRole('link', { name: /^Offers/ }).click()],
  ['the request is replayed as it was', (page) => page.getByRole('button', { name: 'Replay', exact: true }).click()],
])('Undo brings back the edits of a request that are left because %s', async (_why, leave) => {
  const { page, id } = await openEditor();
  await leave(page);
  await expectSeen(discarded(page));
  await page.keyboard.press('Control+z');
  await expect.poll(() => path(page).inputValue()).toBe('/v1/edited');
  expect(page.url()).toContain(`/requests/${id}`);
});

test('Undo brings discarded edits back from another request, as often as they are discarded', async () => {
  const { page, id } = await openEditor();
  for (let turn = 0; turn < 2; turn += 1) {
    await page.keyboard.press('Escape');
    await expectGone(editor(page));
    await goTo(page, '/webhooks');
    await page.keyboard.press('Control+z');
    await expect.poll(() => path(page).inputValue()).toBe('/v1/edited');
    expect(page.url()).toContain(`/requests/${id}`);
  }
});

test('Edit that is pressed again keeps what was edited', async () => {
  const { page } = await openEditor();
  await page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Edit', exact: true }).click();
  await page.keyboard.press('Escape');
  await expectSeen(discarded(page));
  await page.keyboard.press('e');
  await expect.poll(() => path(page).inputValue()).toBe('/v1/me');
});

test.each([
  ['CRLF', '{\r\n  "user": {\r\n    "phone": "+15555550100"\r\n  }\r\n}'],
  ['mixed', '{\r\n  "user": {\n    "phone": "+15555550100"\r  }\r\n}'],
])('a body keeps the line ends that were not touched when it is edited: %s', async (_which, sent) => {
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { raw: sent })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByTitle(id).first().waitFor();
  await page.keyboard.press('e');
  await editor(page).getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(' ');
  await page.keyboard.press('Control+Enter');
  await toast(page, /^Replayed as edited/).waitFor();
  expect(inspector.sandbox.emulator.recorder.all().at(-1)?.requestBody).toEqual(Buffer.from(` ${sent}`));
});

test('a header that was sent in UTF-8 is edited as text; one that is not touched keeps its bytes, and a new one is sent in UTF-8', async () => {
  const byBytes = (text: string): string => Buffer.from(text).toString('latin1');
  const headers = { 'x-name': byBytes('José 🐦'), 'x-other': 'Jos\u00e9' };
  const { id } = await (await inspector.sandbox.call('GET', '/me', { headers })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByTitle(id).first().waitFor();
  await page.keyboard.press('e');
  const field = editor(page).getByRole('textbox', { name: 'Headers' });
  const shown = await field.inputValue();
  expect(shown).toContain('x-name: José 🐦\n');
  await field.fill(`${shown}\nx-new: Zoë 🦩`);
  await page.keyboard.press('Control+Enter');
  await toast(page, /^Replayed as edited/).waitFor();
  const sent = inspector.sandbox.emulator.recorder.all().at(-1)?.requestHeaders ?? [];
  const valueOf = (name: string): string | undefined => sent[sent.indexOf(name) + 1];
  expect([valueOf('x-name'), valueOf('x-other'), valueOf('x-new')]).toEqual([
    headers['x-name'],
    headers['x-other'],
    byBytes('Zoë 🦩'),
  ]);
});

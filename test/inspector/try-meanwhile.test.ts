import { expect, test } from 'vitest';
import { expectSeen, useInspector } from '../support/browser.ts';
import { holdBack, letCome } from '../support/hold-back.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);

test('the answer to an operation does not appear beside the form of another one', async () => {
  const page = await inspector.open('/try/getMe');
  const form = (name: string) => page.getByRole('form', { name, exact: true });
  const release = await holdBack(page, /\/control\/send/);
  await form('GET /me').getByRole('button', { name: 'Send' }).click();
  await page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('button', { name: /GET \/webhooks$/ })
    .click();
  await form('GET /webhooks').waitFor();
  await letCome(page, /\/control\/requests\/req_/, release);
  const answers = page.getByRole('region', { name: 'Answer' }).getByRole('link');
  expect(await answers.count()).toBe(0);
  await form('GET /webhooks').getByRole('button', { name: 'Send' }).click();
  await expectSeen(answers);
  expect(latest()?.url).toContain('/webhooks');
});

test('what is typed while the code is fetched stays', async () => {
  const page = await inspector.open('/try/createTokenViaAuthorizationCode');
  const form = page.getByRole('form', { name: 'POST /authorization-codes/tokens' });
  const field = (name: string) => form.getByRole('textbox', { name, exact: true });
  const before = await field('code').inputValue();
  const release = await holdBack(page, /\/control\/send/);
  await form.getByRole('button', { name: 'Get a code' }).click();
  await field('client_secret').fill('typed meanwhile');
  release();
  await expect.poll(() => field('code').inputValue()).not.toBe(before);
  expect(await field('client_secret').inputValue()).toBe('typed meanwhile');
});

test('a choice of the history replaces JSON that is half typed, so what is shown is what is sent', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  const group = page.getByRole('group', { name: 'properties', exact: true });
  await group.getByRole('button', { name: 'Add properties' }).click();
  const editor = group.getByRole('textbox');
  for (const json of ['{"b": 2}', '{"a": 1}']) {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(json);
    const before = latest()?.id;
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => latest()?.id).not.toBe(before);
    await page.locator(`a[href$="/requests/${latest()?.id}"]`).waitFor();
  }
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' and');
  await group.getByText('Not valid JSON yet').waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await page
    .getByRole('list', { name: 'Sent from this window' })
    .getByRole('listitem')
    .last()
    .getByRole('button')
    .click();
  await expect.poll(async () => JSON.parse(await editor.innerText()) as unknown).toEqual({ b: 2 });
  expect(await group.getByText('Not valid JSON yet').count()).toBe(0);
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);
const variables = (page: Page) => page.getByRole('textbox', { name: 'Variables' });

async function write(page: Page, name: 'Query' | 'Variables', text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}
async function run(page: Page): Promise<string> {
  const before = latest()?.id;
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => latest()?.id).not.toBe(before);
  await page.locator(`a[href$="/requests/${latest()?.id}"]`).waitFor();
  return String(latest()?.responseBody);
}

test('each operation that is written from the schema has variables of the demo world, and is accepted', async () => {
  const webhook = { url: 'http://localhost:9/', events: [{ type: 'sms.subscribed' }] };
  await inspector.sandbox.call('POST', '/webhooks', { json: webhook });
  const page = await inspector.open('/try/graphql');
  const refused: string[] = [];
  for (const type of ['Query', 'Mutation']) {
    await page.getByRole('tab', { name: 'Schema' }).click();
    await page.getByRole('button', { name: `${type} type` }).click();
    const links = page.getByRole('button', { name: /^Write an operation with / });
    const names = await links.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      await page.getByRole('tab', { name: 'Schema' }).click();
      await page.getByRole('button', { name, exact: true }).click();
      const reply = await run(page);
      if (latest()?.status !== 200 || reply.includes('"errors"')) refused.push(`${name}: ${reply}`);
    }
  }
  expect(refused).toEqual([]);
  expect(JSON.stringify(latest()?.changes)).toContain('webhooks');
});

test('variables are generated for the operation that is written, and name a person who is there', async () => {
  const page = await inspector.open('/try/graphql');
  await write(
    page,
    'Query',
    'mutation($one: SubscribeInput!, $when: DateTime) { subscribe(input: $one) { __typename } }',
  );
  await page.getByRole('button', { name: 'Generate' }).click();
  await expect.poll(() => variables(page).innerText()).toContain('"signupSourceId": "100001"');
  const { one, when } = JSON.parse(await variables(page).innerText()) as Record<string, unknown>;
  expect(one).toEqual({ user: { phone: '+15555550100', email: 'ada@example.com' }, signupSourceId: '100001' });
  expect(Math.abs(Date.parse(String(when)) - inspector.sandbox.emulator.deps.clock.now())).toBeLessThan(60_000);
});

test('variables that do not fit the schema are marked while they are typed, with what is expected', async () => {
  const page = await inspector.open('/try/graphql');
  await write(page, 'Query', 'mutation($input: SubscribeInput!) { subscribe(input: $input) { __typename } }');
  await write(page, 'Variables', '{"input": {"user": {"phone": 5}}, "other": 1}');
  const status = page.getByRole('form', { name: 'GraphQL' }).getByRole('status');
  await status.getByText('The operation has no variable $other. And 1 more.').waitFor();
  await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(2);
  await write(page, 'Variables', '{"input": {"user": {"phone": 5}}}');
  await status.getByText('user.phone: String cannot represent a non string value: 5').waitFor();
  await write(page, 'Variables', '{}');
  await status.getByText('$input is missing: the operation needs SubscribeInput!.').waitFor();
  await checkAccess(page);
  await write(page, 'Variables', '{"input": {"user": {}}}');
  await expect.poll(() => status.count()).toBe(0);
  await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0);
});

test('names and values of variables are completed from the schema', async () => {
  const page = await inspector.open('/try/graphql');
  await write(page, 'Query', 'mutation($input: UnsubscribeInput!) { unsubscribe(input: $input) { __typename } }');
  // The schema is there.
  await expect.poll(() => page.getByRole('button', { name: 'Generate' }).isEnabled()).toBe(true);
  await write(page, 'Variables', '{"input": {"user": {}, "subscriptions": [{');
  await page.keyboard.type('"ch');
  await page.getByRole('option', { name: /"channel"/ }).click();
  await page.keyboard.type('"CHANNEL_T');
  await page.getByRole('option', { name: 'CHANNEL_TEXT' }).click();
  await expect.poll(() => variables(page).innerText()).toContain('"channel": "CHANNEL_TEXT"');
});

test('the query and its variables are formatted, with their comments and every digit', async () => {
  const page = await inspector.open('/try/graphql');
  await write(page, 'Query', '# who calls\nquery  A{viewer{__typename # the type\n}}');
  await write(page, 'Variables', '{"a":1e400,"b":[10000000000000000001]}');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Query' }).innerText())
    .toContain('# who calls\nquery A {\n  viewer {\n    __typename # the type\n  }\n}');
  expect(await variables(page).innerText()).toContain('"a": 1e400');
  expect(await variables(page).innerText()).toContain('10000000000000000001');
  await write(page, 'Query', 'query {');
  await page.getByRole('button', { name: 'Format' }).click();
  await page.getByRole('alert').getByText('The query cannot be formatted').waitFor();
  expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toContain('query {');
});

test('the history of GraphQL fills in the query, the variables and the operation as they were sent', async () => {
  const page = await inspector.open('/try/graphql');
  await write(page, 'Query', 'query A { viewer { __typename } }\nquery B { viewer { __typename } }');
  await write(page, 'Variables', '{"unused": 1}');
  await page.getByRole('combobox', { name: 'Operation to run' }).click();
  await page.getByRole('option', { name: 'B' }).click();
  await run(page);
  const sent = latest()?.requestBody;
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Custom event' }).click();
  const rows = page.getByRole('list', { name: 'Sent from this window' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().getByRole('button').click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Query' }).innerText()).toContain('query B');
  await run(page);
  expect(latest()?.requestBody).toEqual(sent);
});

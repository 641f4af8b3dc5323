import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);

test('a browser at GET /v1/graphql is redirected to a query editor that completes from the schema and runs a mutation', async () => {
  const redirect = await inspector.sandbox.call('GET', '/graphql', { headers: { accept: 'text/html' } });
  const hash = new URL(redirect.headers.get('location') ?? '').hash.slice(1);
  const page = await inspector.open(hash);
  const query = page.getByRole('textbox', { name: 'Query' });
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.getByRole('group', { name: 'Type Query' }).waitFor();
  await query.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('mutation Once { createCu');
  await page.keyboard.type('s');
  const option = page.getByRole('option', { name: /createCustomEvent/ });
  await option.first().click();
  await page.keyboard.insertText(
    '(input: { type: "Order Shipped", user: { phone: "+15555550100" } }) { externalEventId } }',
  );
  await page.keyboard.press('Control+Enter');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('"externalEventId"').first().waitFor();
  expect(latest()?.operation).toBe('POST /graphql');
  expect(latest()?.changes.length).toBeGreaterThan(0);
});

test('GraphQL examples are accepted with their variables, and the schema can be read', async () => {
  const page = await inspector.open('/try/graphql');
  for (const title of ['Who calls', 'Custom event', 'Subscribe']) {
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('menuitem', { name: title }).click();
    const before = latest()?.id;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => latest()?.id).not.toBe(before);
    expect(String(latest()?.responseBody), title).not.toContain('"errors"');
  }
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.getByRole('textbox', { name: 'Search types and fields' }).fill('subscribeinput');
  await page.getByRole('button', { name: 'SubscribeInput input', exact: true }).click();
  await page.getByRole('button', { name: 'LocaleForSubscribeInput' }).last().click();
  await page.getByRole('group', { name: 'Type LocaleForSubscribeInput' }).getByText('country').waitFor();
});

test('the query editor and the schema are accessible, and show captured text as text', async () => {
  const page = await inspector.open('/try/graphql');
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.getByRole('button', { name: 'Mutation type' }).click();
  await checkAccess(page);
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(xss);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Answer' }).getByRole('link', { name: 'Why' }).waitFor();
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('what the editor reads for itself is not a request, what is run in it is counted and marked', async () => {
  const page = await inspector.open('/try/graphql');
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.getByRole('group', { name: 'Type Query' }).waitFor();
  expect(inspector.sandbox.emulator.recorder.all()).toEqual([]);
  const section = page.getByRole('navigation').getByRole('link', { name: /^Requests/ });
  expect(await section.innerText()).not.toMatch(/\d/);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => section.innerText()).toMatch(/1/);
  await section.click();
  const rows = page.locator('.rowsin > .row');
  await rows.getByText('sent from the window').waitFor({ state: 'attached' });
  expect(await rows.count()).toBe(1);
});

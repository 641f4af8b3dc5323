/** What a view shows is taken away by someone else: the view says so in its own words, and asks for nothing that is not there. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, useInspector } from '../support/browser.ts';
import { act } from '../support/world.ts';

const inspector = useInspector({ pace: 'manual' });
const make = async (path: string, json: object): Promise<string> =>
  (await act<{ readonly id: string }>(inspector.sandbox, 'POST', `/control/${path}`, json)).id;

/** The sentences of refusals that the page shows from now on. */
async function watchProblems(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role="alert"]')) if (textContent) seen.add(textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => [...(window as unknown as { readonly seen: Set<string> }).seen]);
}

test.each(['deleted', 'reset'])(
  'where the company that is shown was %s, the records of another one are shown, without an error before',
  async (how) => {
    const { sandbox } = inspector;
    const id = await make('companies', { name: 'Gone Ltd' });
    const unit = { companyId: id, type: 'MARKETING' };
    await make('sign-up-units', { ...unit, language: 'de', country: 'DE' });
    const page = await inspector.open('/sign-up-units');
    await page.getByTitle('Company: Sandpiper Supply Co.').click();
    await page.getByRole('menuitemradio', { name: 'Gone Ltd' }).click();
    await expectSeen(page.getByText(/de-DE · MARKETING/).first());
    const problems = await watchProblems(page);
    if (how === 'reset') await sandbox.reset();
    else await act(sandbox, 'DELETE', `/control/companies/${id}`);
    await expectSeen(page.getByTitle('Company: Sandpiper Supply Co.'));
    await expectSeen(page.getByText(/fr-CA · MARKETING/).first());
    expect(await problems()).toEqual([]);
  },
);

test('a webhook that a reset takes away is said to be gone once, and an undo shows it again', async () => {
  const { sandbox } = inspector;
  const id = await make('webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed'] });
  const page = await inspector.open(`/webhooks/${id}`);
  await expectSeen(page.getByText('Nothing has been delivered yet'));
  const problems = await watchProblems(page);
  await sandbox.reset();
  await expectSeen(page.getByText('This webhook does not exist'));
  await act(sandbox, 'POST', '/control/undo');
  await expectSeen(page.getByText('Nothing has been delivered yet'));
  expect(await problems()).toEqual([]);
});

test('at the address of a webhook that was deleted, an undo shows it with its deliveries', async () => {
  const { sandbox } = inspector;
  const id = await make('webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed'] });
  await act(sandbox, 'DELETE', `/control/webhooks/${id}`);
  const page = await inspector.open(`/webhooks/${id}`);
  await expectSeen(page.getByText('This webhook does not exist'));
  await act(sandbox, 'POST', '/control/undo');
  await expectSeen(page.getByText('Nothing has been delivered yet'));
});

import { expect, onTestFinished, test } from 'vitest';
import { checkAccess, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { xssStrings } from '../support/xss.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });

async function request(json: object): Promise<string> {
  const { body } = await inspector.sandbox.call('POST', '/privacy/delete-request', { json });
  return (body as { id: string }).id;
}
const emails = (): readonly string[] =>
  [...inspector.sandbox.emulator.deps.store.users.all()].flatMap((user) => user.addresses.map(({ value }) => value));

test('a privacy request is moved to its end by its buttons, and impossible moves say why', async () => {
  const id = await request({ subscriberEmail: 'ada@example.com', requestMsg: 'asked by phone' });
  const page = await inspector.open(`/privacy/${id}`);
  const detail = page.getByRole('region', { name: 'The selected privacy request' });
  await detail.getByText('1 person matches').waitFor();
  expect(await detail.getByRole('button', { name: 'Delete and finish' }).isDisabled()).toBe(true);
  await detail.getByText('only in state "processing"').first().waitFor();
  await detail.getByRole('button', { name: 'Begin processing' }).click();
  await page.getByText('Privacy request is processing now').waitFor();
  await detail.getByRole('button', { name: 'Delete and finish' }).click();
  await detail.getByText('1 person was deleted, with 2 addresses, 2 subscriptions.').first().waitFor();
  expect(emails()).not.toContain('ada@example.com');
  expect(
    await detail
      .getByRole('list', { name: /^History/ })
      .getByRole('listitem')
      .count(),
  ).toBe(3);
  await page.getByRole('row', { name: /ada@example.com.*processed/ }).waitFor();
});

test('people that were deleted by hand are there again after Undo, and can be deleted once more', async () => {
  const id = await request({ subscriberEmail: 'ada@example.com' });
  const page = await inspector.open(`/privacy/${id}`);
  const detail = page.getByRole('region', { name: 'The selected privacy request' });
  await detail.getByRole('button', { name: 'Begin processing' }).click();
  const said = page.getByText('Privacy request is processed now');
  for (const turn of ['first', 'second']) {
    await detail.getByRole('button', { name: 'Delete and finish' }).click();
    await said.waitFor();
    expect(emails(), turn).not.toContain('ada@example.com');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expectGone(said);
    await expect.poll(emails, { message: turn }).toContain('ada@example.com');
    await detail.getByText('1 person matches').waitFor();
  }
});

test('of more requests than it lists, the newest are listed, all are searched, and an older one is shown at its address', async () => {
  const oldest = await request({ subscriberEmail: 'oldest@example.com' });
  const { store } = inspector.sandbox.emulator.deps;
  const first = store.privacyRequests.get(oldest)!;
  store.transact(() => {
    for (let at = 0; at < 1_000; at++)
      store.privacyRequests.put({ ...first, id: `9${at}`, subjectEmail: `p-${at}@example.com` });
  });
  const newest = await request({ subscriberEmail: 'newest@example.com' });
  const page = await inspector.open(`/privacy/${newest}`);
  const list = page.getByRole('grid', { name: 'Privacy requests' });
  await expectSeen(list.getByRole('row', { name: /newest@example.com/ }));
  await expectSeen(page.getByRole('heading', { name: 'newest@example.com' }));
  await expectSeen(page.getByText('the newest 1,000 of 1,002 privacy requests', { exact: true }));
  await page.getByRole('textbox', { name: 'Search: Privacy requests' }).fill('p-999@');
  await expectSeen(page.getByText('1 of 1,002 privacy requests', { exact: true }));
  await page.getByRole('textbox', { name: 'Search: Privacy requests' }).fill('oldest@');
  await list.getByRole('row', { name: /oldest@example.com/ }).click();
  await expectSeen(page.getByRole('heading', { name: 'oldest@example.com' }));
  await page.getByRole('textbox', { name: 'Search: Privacy requests' }).fill('received');
  await expectSeen(page.getByText('the newest 1,000 of 1,002 found of 1,002 privacy requests', { exact: true }));
  await page.getByRole('textbox', { name: 'Search: Privacy requests' }).fill('no-one@');
  await expectSeen(page.getByText('The search hides 1,002 privacy requests.'));
  await page.getByRole('textbox', { name: 'Search: Privacy requests' }).fill('');
  await goTo(page, `/privacy/${oldest}`);
  await expectSeen(page.getByRole('heading', { name: 'oldest@example.com' }));
  await page.reload();
  await expectSeen(page.getByRole('heading', { name: 'oldest@example.com' }));
});

test('what would be deleted has a column for each kind of record that the server counts', async () => {
  const id = await request({ subscriberEmail: 'ada@example.com' });
  const page = await inspector.open();
  await intercept(page, '**/control/privacy-requests/*/people', async (route) => {
    const response = await route.fetch();
    const { people } = (await response.json()) as { readonly people: readonly { readonly kept: object }[] };
    const more = people.map((person) => ({ ...person, kept: { ...person.kept, 'loyalty-cards': 7 } }));
    await route.fulfill({ response, json: { people: more } });
  });
  await page.getByRole('link', { name: /^Privacy requests/ }).click();
  await page.getByRole('row', { name: /ada@example.com/ }).click();
  await page.getByRole('columnheader', { name: 'Loyalty cards' }).waitFor();
  await expectSeen(page.getByRole('cell', { name: '7', exact: true }));
  expect(page.url()).toContain(id);
});

test('it shows its deadline, and that it is late after it', async () => {
  const id = await request({ subscriberPhone: '+15555550100' });
  const page = await inspector.open(`/privacy/${id}`);
  await page.getByRole('row', { name: /\+15555550100\s*30 d left/ }).waitFor();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '31d' });
  await expectSeen(page.getByRole('row', { name: /1 d late/ }));
  await page.getByText('should have done it').waitFor();
});

test('what was asked for and done later than the clock is now says so, in the list and in the palette', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/clock', { freeze: true });
  await control('POST', '/control/clock', { set: '2027-03-11T00:00:00Z' });
  const id = await request({ subscriberEmail: 'ada@example.com' });
  for (const event of ['start', 'finish'])
    await control('POST', `/control/records/privacy-requests/${id}/moves`, { event });
  const late = await request({ subscriberEmail: 'grace@example.com' });
  const page = await inspector.open(`/privacy/${late}`);
  await control('POST', '/control/clock', { set: '2027-04-10T00:00:01Z' });
  await page.getByRole('row', { name: /grace@example.com\s*due now/ }).waitFor();
  await page.getByRole('row', { name: /ada@example.com\s*30 d ago/ }).waitFor();
  await control('POST', '/control/clock', { set: '2027-03-01T00:00:00Z' });
  await expectSeen(page.getByRole('row', { name: /ada@example.com\s*in 10 d/ }));
  await page.keyboard.press('Control+k');
  await page
    .getByRole('option', { name: /delete-request.*in 10 d/ })
    .first()
    .waitFor();
  await control('POST', '/control/clock', { real: true });
});

test('when it moves by itself is said at once after another client changed the pace', async () => {
  const id = await request({ subscriberEmail: 'ada@example.com' });
  const setPace = (pace: string) => inspector.sandbox.control('POST', '/control/pace', { pace });
  onTestFinished(async () => void (await setPace('manual')));
  const page = await inspector.open(`/privacy/${id}`);
  const states = page
    .getByRole('region', { name: 'The selected privacy request' })
    .getByRole('group', { name: 'States' });
  await states.getByText('or the clock does, at another pace').first().waitFor();
  await setPace('realistic');
  await expectSeen(states.getByText(/^or the clock, in \d+ s$/).first());
});

test('the request that created it is one click away', async () => {
  const id = await request({ subscriberEmail: 'nobody@example.com' });
  const page = await inspector.open(`/privacy/${id}`);
  await page.getByText('0 people match').waitFor();
  await page.getByRole('link', { name: /POST \/privacy\/delete-request/ }).click();
  await expect.poll(() => page.url()).toContain('#/requests/');
});

test('requests are reached and moved with the keyboard alone', async () => {
  await request({ subscriberEmail: 'ada@example.com' });
  await request({ subscriberEmail: 'grace@example.com' });
  const page = await inspector.open('/privacy');
  await page.getByText('No privacy request is selected').waitFor();
  await page.getByRole('row', { name: /ada/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Begin processing' }));
  await page.keyboard.press('Enter');
  await page.getByText('Privacy request is processing now').waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('grace');
  await page.getByRole('row', { name: /ada/ }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'grace@example.com' }).waitFor();
});

test('the empty view has a command that creates a request, which appears as soon as it is sent', async () => {
  const page = await inspector.open('/privacy');
  await page.getByText('No privacy request yet').waitFor();
  await page.getByText('/privacy/delete-request').waitFor();
  await request({ subscriberEmail: 'ada@example.com' });
  await expectSeen(page.getByRole('row', { name: /ada@example.com/ }));
});

test('the view is accessible, and shows all input as text', async () => {
  const id = await request({
    subscriberEmail: 'ada@example.com',
    clientUserId: xssStrings[1],
    requestMsg: xssStrings.join(' '),
  });
  const page = await inspector.open(`/privacy/${id}`);
  await page
    .getByText(xssStrings.at(-1) ?? '')
    .first()
    .waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

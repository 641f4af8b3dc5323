/** What every picture of the contact sheets must not show: empty halves, clipped text, columns beside their heads. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';
import { recordMany } from '../support/record-many.ts';

const inspector = useInspector({ pace: 'manual' });
const small = { width: 1024, height: 700 };

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not drawn.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}
const rows = (page: Page) => page.locator('.rowsin > .row');

test.each([
  ['requests', 'No request has arrived'],
  ['timeline', 'Nothing has happened yet'],
  ['subscribers', 'No one yet'],
  ['catalog', 'No upload yet'],
  ['catalog?show=products', 'No product is saved yet'],
  ['offers', 'No offer yet'],
  ['privacy', 'No privacy request yet'],
  ['attributes', 'No attribute yet'],
  ['sign-up-units', 'No sign-up unit yet'],
  ['apps', 'No company yet'],
])('in an empty world %s says what to do over the whole width, with no empty half beside it', async (path, says) => {
  await inspector.sandbox.emulator.reset('empty');
  const page = await inspector.open(`/${path}`, small);
  await page.getByText(says, { exact: true }).waitFor();
  const whole = await boxOf(page.locator('.panes'));
  await expect.poll(async () => (await boxOf(page.locator('.listpane'))).width).toBe(whole.width);
  await page.getByText('is selected', { exact: false }).waitFor({ state: 'hidden' });
});

test('beside the form to fire an event the deliveries keep their columns under their heads', async () => {
  const { sandbox } = inspector;
  const made = await sandbox.control('POST', '/control/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['email.opened'],
  });
  const subscriber = { email: 'ada@example.com' };
  await sandbox.control('POST', '/control/trigger', {
    type: 'email.opened',
    to: (made.body as { id: string }).id,
    subscriber,
  });
  const page = await inspector.open('/webhooks?fire=1', small);
  await rows(page).first().waitFor();
  const lefts = (cells: Locator): Promise<readonly number[]> =>
    cells.evaluateAll((all) =>
      all
        .map((cell) => cell.getBoundingClientRect())
        .flatMap(({ width, left }) => (width > 0 ? [Math.round(left)] : [])),
    );
  const heads = await lefts(page.locator('.wh-thead > span'));
  expect(await lefts(rows(page).first().locator('> [role="gridcell"]'))).toEqual(heads);
  const pane = await boxOf(page.locator('.detailpane'));
  for (const cell of await page.locator('.wh-thead > span:visible').all())
    expect((await boxOf(cell)).right).toBeLessThanOrEqual(pane.right);
  const id = page.locator('.wh-meta dd').first().locator('> *').first();
  expect((await boxOf(id)).right).toBeLessThanOrEqual(pane.right);
});

test.each(['gym', 'receiver', 'signature'])(
  'beside the panel %s the buttons of the deliveries stay in their pane',
  async (panel) => {
    await inspector.sandbox.control('POST', '/control/trigger', {
      type: 'email.opened',
      to: 'http://me:secret@localhost/',
    });
    const page = await inspector.open(`/webhooks?panel=${panel}`, small);
    const redeliver = page.getByRole('button', { name: 'Redeliver failed' });
    await redeliver.waitFor();
    const pane = await boxOf(page.locator('.detailpane'));
    for (const button of [redeliver, page.getByRole('button', { name: 'Fire an event' })])
      expect((await boxOf(button)).right).toBeLessThanOrEqual(pane.right);
  },
);

test('why nothing can be fired is in sight in a small window', async () => {
  await inspector.sandbox.emulator.reset('empty');
  inspector.allowErrors(/\/control\/trigger/);
  const page = await inspector.open('/webhooks?fire=1', small);
  const says = await boxOf(page.getByText('There is no company yet.'));
  const foot = await boxOf(page.locator('.wh-foot'));
  expect(says.bottom).toBeLessThanOrEqual(foot.y);
  expect(await page.getByRole('button', { name: 'Fire', exact: true }).isDisabled()).toBe(true);
});

test('what does not fit in the second line of a record ends with a mark', async () => {
  const page = await inspector.open('/reference', small);
  await rows(page).first().waitFor();
  const cut = await rows(page)
    .locator('*:not(.offscreen)')
    .evaluateAll(
      (all) =>
        all
          .filter((one) => one instanceof HTMLElement && one.scrollWidth > one.clientWidth && one.clientWidth > 0)
          .map((one) => getComputedStyle(one))
          .filter(
            ({ overflow, textOverflow, display }) =>
              overflow.includes('hidden') && !(textOverflow === 'ellipsis' && display !== 'flex'),
          ).length,
    );
  expect(cut).toBe(0);
});

test('the acts of Try it are in one line, and so is the key of GraphQL with its examples', async () => {
  await inspector.sandbox.emulator.reset('empty');
  const page = await inspector.open('/try/getMe', small);
  const form = page.getByRole('form', { name: 'GET /me' });
  const [send, curl] = [form.getByRole('button', { name: 'Send' }), form.getByRole('button', { name: /curl/ })];
  expect((await boxOf(curl)).y).toBeLessThan((await boxOf(send)).bottom);
  await goTo(page, '/try/graphql');
  const graphql = page.getByRole('form', { name: 'GraphQL' });
  const key = await boxOf(graphql.getByLabel('Key to send', { exact: true }));
  const examples = await boxOf(graphql.getByRole('button', { name: 'Examples' }));
  expect(examples.bottom).toBeCloseTo(key.bottom, 0);
  expect(examples.x).toBeGreaterThan(key.right);
});

test('a link to a request far down the list scrolls the list to it', async () => {
  const first = await (await inspector.sandbox.call('GET', '/me')).exchange();
  for (let round = 0; round < 6; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => inspector.sandbox.call('GET', '/me')));
  const page = await inspector.open(`/requests/${first.id}`, small);
  await expect.poll(() => page.locator(`#row-${first.id}`).count()).toBe(1);
  const [row, list] = [await boxOf(page.locator(`#row-${first.id}`)), await boxOf(page.locator('.rows'))];
  expect(row.bottom).toBeLessThanOrEqual(list.bottom + 1);
  expect(row.y).toBeGreaterThanOrEqual(list.y - 1);
});

test('how long a deletion request has left is the same in its row and in its facts', async () => {
  const { sandbox } = inspector;
  await sandbox.call('POST', '/privacy/delete-request', { json: { subscriberEmail: 'ada@example.com' } });
  await sandbox.control('POST', '/control/clock', { advance: '9d10h' });
  const page = await inspector.open('/privacy');
  await rows(page).first().click();
  await rows(page).first().getByText('21 d left').waitFor();
  expect(await page.getByText('in 21 d').first().innerText()).toBe('in 21 d');
});

test.each([small, { width: 720, height: 450 }])(
  'what a fault will do and the button that sets it are in sight at $width×$height, before and after scrolling',
  async (size) => {
    const page = await inspector.open('/faults', size);
    const form = page.getByRole('form', { name: 'Set a fault' });
    const view = await boxOf(page.getByRole('main'));
    const set = form.getByRole('button', { name: 'Set this fault' });
    const says = form.getByText('The next request of any operation is answered with 429');
    for (const where of ['Presets', 'Lose the answer']) {
      await (
        where === 'Presets' ? form.getByRole('group', { name: where }) : form.getByText(where)
      ).scrollIntoViewIfNeeded();
      expect((await boxOf(set)).bottom).toBeLessThanOrEqual(view.bottom);
      expect((await boxOf(says)).y).toBeGreaterThan(view.y);
    }
    // Its last field is not behind them either.
    const last = form.getByRole('checkbox', { name: 'Process the request first' });
    await last.focus();
    expect((await boxOf(last)).bottom).toBeLessThanOrEqual((await boxOf(says)).y);
  },
);

/** 200 % zoom of 1920×1080. */
const zoomed = { width: 960, height: 540 };

test('at 200 % zoom all sections are in sight, and the company is beside the search', async () => {
  const page = await inspector.open('/', zoomed);
  const bar = await boxOf(page.getByRole('navigation', { name: 'Sections' }));
  const links = await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').all();
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) {
    const { bottom, height } = await boxOf(link);
    const what = `${await link.textContent()}: the sections do not fit; docs/adding.md, A view, step 5, says what to do`;
    expect(bottom, what).toBeLessThanOrEqual(bar.bottom);
    expect(height, what).toBeGreaterThanOrEqual(24);
  }
  const company = await boxOf(page.getByTitle(/^Company: /));
  const search = await boxOf(page.getByRole('button', { name: 'Search or run a command' }));
  expect(search.x).toBeGreaterThanOrEqual(company.right);
});

test.each([
  { width: 1280, height: 500, colorScheme: 'light' },
  { width: 800, height: 500, colorScheme: 'dark' },
] as const)(
  'in a window of $width×$height no section is over another, and the last is reached by scrolling',
  async (size) => {
    const page = await inspector.open('/', size);
    const bar = page.getByRole('navigation', { name: 'Sections' });
    const boxes = await Promise.all((await bar.locator('> *').all()).map(boxOf));
    expect(boxes.length).toBeGreaterThan(10);
    for (const [at, { y }] of boxes.entries()) expect(y).toBeGreaterThanOrEqual((boxes[at - 1]?.bottom ?? 0) - 0.5);
    const last = bar.getByRole('link').last();
    const { bottom } = await boxOf(bar);
    expect((await boxOf(last)).bottom).toBeGreaterThan(bottom);
    await last.scrollIntoViewIfNeeded();
    expect((await boxOf(last)).bottom).toBeLessThanOrEqual(bottom);
    expect(bottom).toBeLessThanOrEqual((await boxOf(page.getByRole('region', { name: 'Clock' }))).y);
  },
);

test.each([
  ['webhooks?fire=1', 'Fire an event'],
  ['subscribers', 'Screens'],
])('at 200 % zoom the third pane of %s is a whole sheet over the other two', async (path, name) => {
  const page = await inspector.open(`/${path}`, zoomed);
  const sheet = page.locator('.sidepane');
  if (name === 'Screens') {
    // It covers nothing before it is asked for.
    await page.getByRole('button', { name }).click();
  }
  await sheet.getByRole('heading', { name }).waitFor();
  const { x, right } = await boxOf(sheet);
  expect(right).toBeLessThanOrEqual(zoomed.width);
  expect((await boxOf(sheet.getByRole('button').last())).right).toBeLessThanOrEqual(zoomed.width);
  expect(x).toBeGreaterThan((await boxOf(page.locator('.listpane'))).right);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});

test('a command keeps its copy button at its end in a narrow pane', async () => {
  const page = await inspector.open('/snapshots', zoomed);
  for (const command of await page.locator('.cmdline:visible').all()) {
    const [text, copy] = [await boxOf(command.locator('code')), await boxOf(command.getByRole('button'))];
    expect(copy.x).toBeGreaterThanOrEqual(text.right);
    expect(copy.y).toBeLessThan(text.bottom);
  }
});

test.each(['offers/54100', 'attributes', 'settings', 'privacy'])(
  'at 2560×1440 %s keeps together what belongs together',
  async (path) => {
    await inspector.sandbox.call('POST', '/privacy/delete-request', { json: { subscriberEmail: 'ada@example.com' } });
    const page = await inspector.open(`/${path}`, { width: 2560, height: 1440 });
    if (path !== 'settings' && path !== 'offers/54100') await rows(page).first().click();
    const part = page.locator('.rec-block > *, .set-row');
    await part.first().waitFor();
    for (const one of await part.all()) expect((await boxOf(one)).width).toBeLessThanOrEqual(1640);
  },
);

test('in a tall window Home lists as many of the latest requests as fit', async () => {
  recordMany(inspector.sandbox, 60);
  const page = await inspector.open('/', { width: 2560, height: 1440 });
  const latest = page.locator('.latest > a');
  await expect.poll(() => latest.count()).toBe(23);
  expect((await boxOf(latest.last())).bottom).toBeLessThanOrEqual((await boxOf(page.getByRole('main'))).bottom);
});

test.each([1440, 1100])(
  'at %i pixels the acts of the selected row of the timeline are in sight to their ends',
  async (width) => {
    const { call, control } = inspector.sandbox;
    await control('POST', '/control/clock', { freeze: true });
    await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
    const page = await inspector.open('/timeline', { width });
    const row = rows(page).filter({ hasText: 'POST /subscriptions' });
    await row.getByRole('button', { name: 'Hide what followed' }).click();
    await row.getByText(/things? followed/).waitFor();
    await row.locator('time').click();
    const note = row.locator('.note');
    for (const act of ['show the state before', 'show only this'])
      expect((await boxOf(note.getByRole('button', { name: act }))).right).toBeLessThanOrEqual(
        (await boxOf(note)).right,
      );
  },
);

test.each([
  ['/webhooks?panel=fire', 1121],
  ['/subscribers', 1121],
  ['/subscribers', 1340],
  ['/subscribers', 1420],
])('the three panes of %s are whole in a window of %i pixels', async (path, width) => {
  const page = await inspector.open(path, { width, height: 800 });
  if (path === '/subscribers') await rows(page).first().click();
  const side = page.locator('.sidepane');
  await side.waitFor();
  expect((await boxOf(side)).right).toBeLessThanOrEqual(width);
});

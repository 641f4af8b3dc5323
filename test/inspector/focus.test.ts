/** That the focus is seen, and where it is after what was opened is closed with Escape: where it was before. */
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { clockBar } from '../support/frame.ts';
import { nextFrame } from '../support/hold-back.ts';
import { tabTo } from '../support/keyboard.ts';
import { upload } from '../support/world.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);
const isFocused = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement);
const overlay = (page: Page) => page.locator('dialog[open], [role="dialog"], [role="menu"]').filter({ visible: true });

test.each([
  ['the clock', /^The clock: /],
  ['a date to advance to', 'Advance to…'],
])('the popover of %s closes with Escape each time, and its button has the focus again', async (_what, name) => {
  const page = await inspector.open('/');
  const opener = clockBar(page).getByRole('button', { name });
  // More than once: one that is closed may still be in the page.
  for (let round = 0; round < 3; round += 1) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await overlay(page).locator(':focus').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => overlay(page).count()).toBe(0);
    await expect.poll(() => isFocused(opener)).toBe(true);
  }
});

test.each([
  ['/apps', 'New', 'App', 'New app'],
  ['/apps', 'New', 'Company', 'New company'],
  ['/subscribers', 'More', 'Request deletion…', /^Request the deletion/],
])(
  'on %s, after a dialog that a menu opened the button of the menu has the focus: %s, %s',
  async (path, menu, item, title) => {
    const user = [...inspector.sandbox.emulator.deps.store.users.all()][0]?.id ?? '';
    const page = await inspector.open(path === '/subscribers' ? `${path}/${encodeURIComponent(user)}` : path);
    const opener = page.getByRole('main').getByRole('button', { name: menu, exact: true }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => overlay(page).count()).toBe(0);
    await expect.poll(() => isFocused(opener)).toBe(true);
  },
);

test('a sheet that only asks begins at the button that changes nothing, and Tab leads to the one that does it', async () => {
  await control('POST', 'snapshots', { name: 'old', overwrite: true });
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'More for old' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Delete “old”?' });
  await expectSeen(sheet);
  await expect.poll(() => isFocused(sheet.getByRole('button', { name: 'Keep it' }))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectGone(page.getByRole('button', { name: 'More for old' }));
});

test.each([
  ['/sign-up-units/100001', 'Delete the unit', 'Sign-up units'],
  ['/offers/54102', 'Delete the offer', 'Offers'],
])('after the record of %s is deleted the list has the focus', async (path, item, title) => {
  const page = await inspector.open(path);
  const opener = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).last();
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: item }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^This .* does not exist$/).waitFor();
  await expect.poll(() => isFocused(page.getByRole('grid', { name: title }))).toBe(true);
});

test('after the last record of a list is deleted by keyboard the pane of the list has the focus', async () => {
  inspector.allowErrors(/404 \(/);
  const [attribute] = [...inspector.sandbox.emulator.deps.store.attributeDefinitions.all()];
  const page = await inspector.open(`/attributes/${encodeURIComponent(attribute?.id ?? '')}`);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete the attribute' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No attribute yet').waitFor();
  await expect.poll(() => isFocused(page.getByRole('region', { name: 'Attributes', exact: true }))).toBe(true);
});

test('after a company is deleted by keyboard the list of its records has the focus, and no problem is shown', async () => {
  const page = await inspector.open(`/apps/${encodeURIComponent(demoCompany)}`);
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.listpane [role="alert"] > *')) document.documentElement.dataset['seen'] = 'problem';
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete the company' }).focus();
  await page.keyboard.press('Enter');
  await page.getByTitle('Company: Dunlin Outfitters').waitFor();
  await expect.poll(() => isFocused(page.getByRole('grid', { name: 'Apps and keys' }))).toBe(true);
  expect(await page.evaluate(() => document.documentElement.dataset['seen'])).toBe(undefined);
});

test.each([
  ['/offers', 'New offer', 'Name', 'Spring', (page: Page) => page.getByRole('grid', { name: 'Offers' })],
  [
    '/webhooks',
    'New webhook',
    'Address',
    'http://localhost:9/hooks',
    (page: Page) => page.getByRole('navigation', { name: 'Endpoints' }),
  ],
] as const)(
  'after the first record of %s is created by the button below “none yet” its list has the focus',
  async (path, name, label, value, list) => {
    await control('POST', 'reset', { world: 'empty' });
    await control('POST', 'companies', { name: 'Nightjar' });
    const page = await inspector.open(path);
    const opener = page.locator('.empty').getByRole('button', { name, exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name });
    await sheet.getByLabel(label, { exact: true }).fill(value);
    await page.keyboard.press('Enter');
    await expectGone(sheet);
    await expectGone(opener);
    await expect.poll(() => isFocused(list(page))).toBe(true);
  },
);

test.each([
  [
    'a person',
    'Send a message',
    (page: Page) => page.getByRole('grid', { name: 'People, newest first' }),
    async (): Promise<string> => {
      const json = { user: { phone: '+15555550177' }, signUpSourceId: '100001' };
      await inspector.sandbox.call('POST', '/subscriptions', { json });
      return `/subscribers/${encodeURIComponent([...inspector.sandbox.emulator.deps.store.users.all()].at(-1)?.id ?? '')}`;
    },
  ],
  [
    'an upload',
    'Send the file again',
    (page: Page) => page.getByRole('region', { name: 'Catalog', exact: true }),
    async () => `/catalog/${await upload(inspector.sandbox, ['1'])}`,
  ],
] as const)(
  'after %s with the focus is taken away the keyboard goes on in the list',
  async (_what, name, list, make) => {
    inspector.allowErrors(/404 \(/);
    const path = await make();
    const page = await inspector.open(path);
    const act = page.getByRole('main').getByRole('button', { name, exact: true }).first();
    await act.focus();
    await inspector.sandbox.reset();
    await expectGone(act);
    await expect.poll(() => isFocused(list(page))).toBe(true);
  },
);

test('when the last upload goes while the list has the focus, its pane gets it', async () => {
  inspector.allowErrors(/404 \(/);
  await upload(inspector.sandbox, ['1']);
  const page = await inspector.open('/catalog');
  await page.getByRole('grid', { name: /^Uploads/ }).focus();
  await inspector.sandbox.reset();
  await expectSeen(page.getByText('No upload yet'));
  await expect.poll(() => isFocused(page.getByRole('region', { name: 'Catalog', exact: true }))).toBe(true);
});

test('after the sheet of an offer that was deleted meanwhile is closed the list has the focus', async () => {
  const page = await inspector.open('/offers/54102');
  await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).click();
  await control('DELETE', 'offers/54102');
  await page.getByText('This offer does not exist').waitFor();
  await page.getByRole('dialog', { name: 'Edit the offer' }).getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => isFocused(page.getByRole('grid', { name: 'Offers' }))).toBe(true);
});

/** What goes with the button by which it is left: where, by which button, and what has the focus then. */
const leavings: readonly (readonly [
  what: string,
  path: string,
  button: string | RegExp,
  next: (page: Page) => Locator,
])[] = [
  [
    'a search of people',
    '/subscribers?search=zz',
    'Clear the search',
    (page) => page.getByLabel('Search by phone, email or id'),
  ],
  ['a search of records', '/offers?search=zz', 'Clear the search', (page) => page.getByLabel('Search: Offers')],
  ['a panel', '/webhooks', 'Close', (page) => page.getByRole('button', { name: 'Fire an event' })],
  ['what a reset changed', '/snapshots', 'Close', (page) => page.getByRole('region', { name: 'Saved snapshots' })],
  [
    'an earlier moment',
    '/timeline',
    /^Return to now/,
    (page) => page.getByRole('slider', { name: 'Moment to look at' }),
  ],
];

test.each(leavings)(
  'after %s is left by the keyboard the focus is where one goes on',
  async (_what, path, name, next) => {
    await inspector.sandbox.call('GET', '/me');
    const page = await inspector.open(path);
    if (path === '/webhooks') await page.getByRole('button', { name: 'Fire an event' }).press('Enter');
    if (path === '/snapshots')
      await page.getByRole('button', { name: 'Reset to the demo world', exact: true }).press('Enter');
    if (path === '/timeline') await page.getByRole('slider', { name: 'Moment to look at' }).press('ArrowLeft');
    // One that Tab leaves out is for the mouse.
    const button = page
      .locator('.pane, .sn-view, .lookback')
      .getByRole('button', { name })
      .and(page.locator(':not([tabindex="-1"])'));
    await button.focus();
    await page.keyboard.press('Enter');
    await expectGone(button);
    await expect.poll(() => isFocused(next(page))).toBe(true);
  },
);

test('after the selected requests are deleted by the keyboard the list has the focus', async () => {
  for (const at of [1, 2, 3]) await inspector.sandbox.call('GET', `/me?at=${at}`);
  const page = await inspector.open('/requests');
  const list = page.getByRole('grid', { name: 'Requests, newest first' });
  await list.getByRole('row').nth(2).waitFor();
  await list.focus();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).toContain('/requests/');
  await page.keyboard.press('Shift+ArrowDown');
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 requests deleted').waitFor();
  await expectGone(remove);
  await expect.poll(() => isFocused(list)).toBe(true);
});

test('after another window clears the requests, their pane has the focus that the list had', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  const list = page.getByRole('grid', { name: 'Requests, newest first' });
  await list.getByRole('row').first().waitFor();
  await list.focus();
  await control('DELETE', 'requests');
  await expectGone(list);
  await expect.poll(() => isFocused(page.locator('.listpane'))).toBe(true);
});

test('the built-in receiver is started, cleared and stopped by keyboard without losing the focus', async () => {
  await control('DELETE', 'receiver');
  const page = await inspector.open('/webhooks?panel=receiver');
  const panel = page.getByRole('complementary', { name: 'Built-in receiver' });
  const press = async (name: string, next: string): Promise<void> => {
    await panel.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(panel.getByRole('button', { name: next }))).toBe(true);
  };
  await press('Start the receiver', 'Create a webhook to it');
  await press('Create a webhook to it', 'Stop');
  await control('POST', 'trigger', { type: 'email.opened' });
  await press('Clear', 'Stop');
  await press('Stop', 'Start the receiver');
});

/** What is left of it when one is removed by keyboard, on which page, by which button, and what has the focus then. */
const removals: readonly (readonly [
  what: string,
  path: string,
  make: () => Promise<unknown>,
  removes: (page: Page) => Locator,
  next: (page: Page) => Locator,
])[] = [
  [
    'a fault',
    '/faults',
    async () => {
      for (const operation of ['GET /me', 'GET /subscriptions'])
        await control('POST', 'faults', { operation, status: 500, times: 3 });
    },
    (page) => page.getByRole('button', { name: 'Remove: GET /me, status 500' }),
    (page) => page.getByRole('button', { name: 'Remove: GET /subscriptions, status 500' }),
  ],
  [
    'the last fault',
    '/faults',
    () => control('POST', 'faults', { operation: 'GET /me', status: 500 }),
    (page) => page.getByRole('button', { name: 'Remove: GET /me, status 500' }),
    (page) => page.getByRole('region', { name: 'Faults', exact: true }),
  ],
  [
    'a host',
    '/settings',
    async () => {
      for (const host of ['one.test', 'two.test']) await control('POST', 'allowed-hosts', { host });
    },
    (page) => page.getByRole('button', { name: 'Remove two.test' }),
    (page) => page.getByRole('button', { name: 'Remove one.test' }),
  ],
];

test.each(removals)(
  'after %s is removed by keyboard, the next one has the focus',
  async (_what, path, make, removes, next) => {
    await make();
    const page = await inspector.open(path);
    await removes(page).focus();
    await page.keyboard.press('Enter');
    await expectGone(removes(page));
    await expect.poll(() => isFocused(next(page))).toBe(true);
  },
);

test('an Enter that is held removes one by keyboard, not the next ones', async () => {
  for (const operation of ['GET /me', 'GET /subscriptions'])
    await control('POST', 'faults', { operation, status: 500, times: 3 });
  const page = await inspector.open('/faults');
  let removals = 0;
  page.on('request', (request) => (removals += Number(request.method() === 'DELETE')));
  const next = page.getByRole('button', { name: 'Remove: GET /subscriptions, status 500' });
  await page.getByRole('button', { name: 'Remove: GET /me, status 500' }).focus();
  await page.keyboard.down('Enter');
  await expect.poll(() => isFocused(next)).toBe(true);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(removals).toBe(1);
  await page.keyboard.press('Enter');
  await expectGone(next);
});

test('after a webhook or a snapshot is deleted by keyboard, the next one has the focus', async () => {
  for (const name of ['one', 'two']) {
    await control('POST', 'webhooks', { url: `http://localhost:1/${name}`, events: ['email.opened'] });
    await control('POST', 'snapshots', { name });
  }
  const page = await inspector.open('/webhooks');
  const pick = async (opener: Locator, item: string): Promise<void> => {
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).focus();
    await page.keyboard.press('Enter');
  };
  await page.getByRole('navigation').getByTitle('http://localhost:1/one').and(page.getByRole('button')).click();
  await pick(page.getByRole('region', { name: /^Webhook to/ }).getByRole('button', { name: 'More' }), 'Delete');
  await expectGone(page.getByRole('navigation').getByTitle('http://localhost:1/one').and(page.getByRole('button')));
  await expect
    .poll(() =>
      isFocused(page.getByRole('navigation').getByTitle('http://localhost:1/two').and(page.getByRole('button'))),
    )
    .toBe(true);

  await goTo(page, '/snapshots');
  await pick(page.getByRole('button', { name: 'More for two' }), 'Delete');
  await page.getByRole('button', { name: 'Delete it' }).focus();
  await page.keyboard.press('Enter');
  await expectGone(page.getByRole('button', { name: 'More for two' }));
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'More for one' }))).toBe(true);
});

/** Acts by keyboard: where, by which button, and what is seen once it is done. */
const acts: readonly (readonly [what: string, path: string, button: string, done: string | RegExp])[] = [
  ['Set this fault', '/faults', 'Set this fault', /^Fault set: /],
  ['Send of Try it', '/try/getMe', 'Send', '200'],
  ['Run of GraphQL', '/try/graphql', 'Run', '200'],
  ['Fire', '/webhooks?fire=1', 'Fire', /^Fired /],
  ['Restore', '/snapshots', 'Restore', 'Snapshot “one” restored'],
  ['a step of the clock', '/', 'Advance by 1 h', /^Advanced by 1 h/],
];

test.each(acts)('after %s by keyboard its button has the focus', async (_what, path, name, done) => {
  await control('POST', 'webhooks', { url: 'http://localhost:1/one', events: ['email.opened'] });
  await control('POST', 'snapshots', { name: 'one', overwrite: true });
  onTestFinished(async () => void (await control('DELETE', 'snapshots/one')));
  const page = await inspector.open(path);
  const button = page.getByRole('button', { name, exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText(done, { exact: true }).first().waitFor();
  await expect.poll(() => button.isEnabled()).toBe(true);
  expect(await isFocused(button)).toBe(true);
});

test('after a redelivery by keyboard its button has the focus, and its key sends it again', async () => {
  await control('POST', 'receiver', {});
  const fired = await control('POST', 'trigger', {
    type: 'email.opened',
    to: ((await control('GET', 'receiver')).body as { readonly url: string }).url,
  });
  const [delivery] = (fired.body as { readonly deliveries: readonly { readonly id: string }[] }).deliveries;
  const page = await inspector.open(`/webhooks?delivery=${delivery?.id ?? ''}`);
  const attempts = page.getByRole('list', { name: 'Attempts, newest first' }).getByRole('listitem');
  const button = page.getByRole('button', { name: 'Redeliver' });
  await expect.poll(() => attempts.count()).toBe(1);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => attempts.count()).toBe(2);
  expect(await isFocused(button)).toBe(true);
  await page.keyboard.press('r');
  await expect.poll(() => attempts.count()).toBe(3);
});

test('the button of an act that is under way does nothing', async () => {
  const page = await inspector.open('/faults');
  let sent = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, '**/control/faults', async (route) => {
    sent += Number(route.request().method() === 'POST');
    await released;
    await route.continue();
  });
  const button = page.getByRole('button', { name: 'Set this fault' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Enter');
  await button.dispatchEvent('click');
  release();
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
  expect(sent).toBe(1);
});

test('after an undo in the list of what can be undone, the next one has the focus', async () => {
  for (const operation of ['POST /webhooks', 'PUT /webhooks/{webhookId}', 'DELETE /webhooks/{webhookId}'])
    await control('POST', 'faults', { operation, status: 500 });
  const page = await inspector.open('/snapshots');
  const list = page.getByRole('region', { name: 'What can be undone' });
  const undo = list.getByRole('button', { name: 'Undo' });
  await list.getByText('DELETE /webhooks').waitFor();
  await undo.focus();
  await page.keyboard.press('Enter');
  await expectGone(list.getByText('DELETE /webhooks'));
  await expect.poll(() => isFocused(undo)).toBe(true);
  await page.keyboard.press('Enter');
  await expectGone(list.getByText('PUT /webhooks'));
  await expect.poll(() => isFocused(undo)).toBe(true);
});

test('after a move of a diagram by keyboard the next one has the focus, and after the last one the diagram', async () => {
  const { call } = inspector.sandbox;
  const asked = await call('POST', '/privacy/delete-request', { json: { subscriberEmail: 'ada@example.com' } });
  const page = await inspector.open(`/privacy/${(asked.body as { readonly id: string }).id}`);
  const detail = page.getByRole('region', { name: 'The selected privacy request' });
  const [begin, finish] = ['Begin processing', 'Delete and finish'].map((name) => detail.getByRole('button', { name }));
  await begin!.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(finish!)).toBe(true);
  await page.getByText('Privacy request is processing now').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Privacy request is processed now').waitFor();
  await expect.poll(() => isFocused(detail.getByRole('group', { name: 'States' }))).toBe(true);
});

test.each([
  ['', false],
  [', also after one that was refused', true],
])(
  'after a move that someone else made the diagram has the focus, so that Enter makes no other one%s',
  async (_when, isRefused) => {
    inspector.allowErrors(/Failed to load resource/);
    const { call, control } = inspector.sandbox;
    const asked = await call('POST', '/privacy/delete-request', { json: { subscriberEmail: 'ada@example.com' } });
    const { id } = asked.body as { readonly id: string };
    const page = await inspector.open(`/privacy/${id}`);
    const detail = page.getByRole('region', { name: 'The selected privacy request' });
    await detail.getByRole('button', { name: 'Begin processing' }).focus();
    if (isRefused) {
      await intercept(page, '**/moves', (route) => route.abort());
      await page.keyboard.press('Enter');
      await expectSeen(detail.getByText('The server cannot be reached. It may have done this nevertheless'));
    }
    await control('POST', `/control/records/privacy-requests/${id}/moves`, { event: 'start' });
    await expect.poll(() => isFocused(detail.getByRole('group', { name: 'States' }))).toBe(true);
  },
);

test('the focus is seen on the moves of a diagram and on a pane that scrolls, also in the forced colours of a system', async () => {
  const { call } = inspector.sandbox;
  const asked = await call('POST', '/privacy/delete-request', { json: { subscriberEmail: 'ada@example.com' } });
  const path = `/privacy/${(asked.body as { readonly id: string }).id}`;
  const page = await inspector.open(path);
  const look = (one: Locator) =>
    one.evaluate((element) => {
      const { boxShadow, outlineStyle, outlineColor } = getComputedStyle(element);
      return { hasRing: boxShadow !== 'none', outline: `${outlineStyle} ${outlineColor}` };
    });
  for (const [at, wanted] of [
    [path, page.getByRole('button', { name: 'Begin processing' })],
    [`/requests/${(await asked.exchange()).id}`, page.getByRole('region', { name: 'Explanation and bytes' })],
  ] as const) {
    await goTo(page, at);
    await wanted.waitFor();
    await tabTo(page, wanted);
    expect(await look(wanted)).toEqual({ hasRing: true, outline: 'solid rgba(0, 0, 0, 0)' });
    await page.emulateMedia({ forcedColors: 'active' });
    await expect.poll(async () => (await look(wanted)).outline).not.toBe('solid rgba(0, 0, 0, 0)');
    await page.emulateMedia({ forcedColors: 'none' });
  }
});

test('the focus is seen on a button that does nothing yet', async () => {
  const page = await inspector.open('/snapshots');
  const save = page.getByRole('form', { name: 'Save a snapshot' }).getByRole('button', { name: 'Save' });
  await tabTo(page, save);
  expect(await save.getAttribute('aria-disabled')).toBe('true');
  expect(await save.evaluate((button) => getComputedStyle(button).boxShadow)).not.toBe('none');
});

test.each([
  ['requests', 'Requests, newest first', 'status', 'The filter hides 2 requests'],
  ['timeline', 'Timeline, newest first', 'until', 'Nothing fits the filter'],
])(
  'Escape leaves a filter that nothing matches in %s, and the keyboard goes on in the list',
  async (path, name, key, none) => {
    for (const at of [1, 2]) await inspector.sandbox.call('GET', `/me?round=${at}`);
    const page = await inspector.open(`/${path}`);
    const list = page.getByRole('grid', { name });
    const filter = page.getByRole('combobox', { name: 'Filter' });
    const goesOn = async (): Promise<void> => {
      await expect.poll(() => isFocused(list)).toBe(true);
      await page.keyboard.press('j');
      await expect.poll(() => page.url()).toMatch(new RegExp(`/${path}/\\w+$`));
      expect(await filter.inputValue()).toBe('');
      await page.keyboard.press('Escape');
    };
    await list.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zz');
    await page.getByText(none).waitFor();
    // Enter keeps what is written, and then has no list to go to.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await nextFrame(page);
    expect(page.url()).toContain('q=zz');
    await page.keyboard.press('Escape');
    await goesOn();

    // It may become a key, so it filters only when it is left.
    await page.keyboard.press('/');
    await page.keyboard.type(key);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText(none).waitFor();
    await page.keyboard.press('Escape');
    await goesOn();
  },
);

test('where one pane is seen at a time, the focus goes to the way back after a unit is created, and after it is deleted', async () => {
  const page = await inspector.open('/sign-up-units', { apart: true });
  await page.setViewportSize({ width: 720, height: 450 });
  const back = page.getByRole('button', { name: /^Sign-up units/ });
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(back)).toBe(true);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete the unit' }).click();
  await page.getByText('This sign-up unit does not exist').waitFor();
  await expect.poll(() => isFocused(back)).toBe(true);
});

test.each([
  ['a person whom no one has', '/subscribers/per_nobody', 'No one has this id', /^Subscribers/],
  [
    'a request that is not recorded',
    '/requests/req_nothing',
    /^This request (?:is no longer recorded|cannot be shown)/,
    /^Requests/,
  ],
])('where one pane is seen at a time, %s leads back to the list', async (_what, path, says, list) => {
  inspector.allowErrors(/404/);
  const page = await inspector.open(path, { apart: true });
  await page.setViewportSize({ width: 720, height: 450 });
  await page.getByText(says).waitFor();
  const pane = page.locator('.listpane');
  expect(await pane.isVisible()).toBe(false);
  await page.locator('.detailpane').getByRole('button', { name: list }).click();
  await pane.waitFor();
  await expectGone(page.getByText(says));
});

test.each([
  ['the list', 'left'],
  ['its open menu', 'right'],
] as const)('when another window clears the requests, the focus of %s goes to the pane', async (_what, button) => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await page.locator('.rowsin > .row').first().click({ button });
  await page.getByText('Accepted:').waitFor();
  if (button === 'right') await expectSeen(page.getByRole('menuitem', { name: /^Replay/ }));
  await control('DELETE', 'requests');
  await page.getByText('This request is no longer recorded').waitFor();
  await expect.poll(() => isFocused(page.locator('.listpane'))).toBe(true);
});

test('when another window deletes one of two requests that are compared, the focus goes to the list', async () => {
  const idOf = async (path: string): Promise<string> =>
    (await (await inspector.sandbox.call('GET', path)).exchange()).id;
  const [one, other] = [await idOf('/me'), await idOf('/webhooks')];
  const page = await inspector.open(`/requests/${one}?with=${other}`);
  await page.getByRole('button', { name: 'Swap' }).focus();
  await control('POST', 'requests/delete', { ids: [other] });
  await page.getByText('These two cannot be compared').waitFor();
  await expect.poll(() => isFocused(page.getByRole('grid', { name: 'Requests, newest first' }))).toBe(true);
});

test('when the palette filters the requests by what matches none, the focus of the list goes to the pane, and back', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  const grid = page.getByRole('grid', { name: 'Requests, newest first' });
  await page.locator('.rowsin > .row').first().click();
  await page.getByText('Accepted:').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing like this');
  await page.getByRole('option', { name: 'Filter requests by nothing like this' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(page.locator('.listpane'))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(grid)).toBe(true);
});

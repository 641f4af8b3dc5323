import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack, letCome, nextFrame } from '../support/hold-back.ts';
import { editPayload } from '../support/keyboard.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();

/** Does not wait for the view. */
const setAddress = (page: Page, path: string): Promise<unknown> => page.goto(page.url().replace(/#.*/, `#${path}`));

test('keys that are pressed before the contract is loaded take effect afterwards', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/openapi\.json/);
  await setAddress(page, '/try/getMe');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  release();
  await expectSeen(page.getByRole('form', { name: 'POST /webhooks' }));
});

test('keys that are pressed before the code of a view is loaded take effect afterwards', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/assets\/.*View-.*\.js/);
  await setAddress(page, '/subscribers');
  await page.keyboard.press('j');
  release();
  const rows = page.getByRole('grid', { name: 'People, newest first' }).getByRole('row');
  await expect.poll(() => rows.nth(1).getAttribute('aria-selected')).toBe('true');
});

test('text typed into a search that is still loading appears in it, and does nothing else', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/records\/apps/);
  await setAddress(page, '/apps');
  await page.keyboard.press('/');
  // Outside of a field n advances the clock.
  await page.keyboard.type('none');
  release();
  await expect.poll(() => page.getByRole('textbox', { name: 'Search: Apps and keys' }).inputValue()).toBe('none');
  expect(inspector.sandbox.emulator.deps.clock.mode()).toBe('real');
});

test('a click discards the waiting keys', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/openapi\.json/);
  await setAddress(page, '/try/getMe');
  await page.keyboard.press('j');
  await page.getByRole('contentinfo').click({ position: { x: 2, y: 2 } });
  release();
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  expect(page.url()).toContain('/try/getMe');
});

test('a replay sends the selected request, not the one that is still shown', async () => {
  await inspector.sandbox.call('GET', '/webhooks');
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByText('/v1/me').first().waitFor();
  const before = inspector.sandbox.emulator.recorder.size;
  const release = await holdBack(page, /\/control\/requests\/req_/);
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  release();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(before + 1);
  expect(inspector.sandbox.emulator.recorder.all().at(-1)?.url).toContain('/v1/webhooks');
});

test('credentials that arrive when another request is shown are not said to be shown', async () => {
  await inspector.sandbox.call('GET', '/webhooks');
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const detail = page.getByRole('article', { name: 'Request' });
  await detail.getByRole('tab', { name: /Headers/ }).click();
  const release = await holdBack(page, /reveal=/);
  const show = detail.getByRole('button', { name: 'Show credentials' });
  await show.click();
  await page.keyboard.press('j');
  await detail.getByText('/v1/webhooks').first().waitFor();
  await letCome(page, /reveal=/, release);
  expect(await show.getAttribute('aria-pressed')).toBe('false');
  await detail.getByText('Bearer …-key').waitFor();
});

test.for([
  ['/subscribers', /\/control\/people\?/],
  ['/catalog', /\/control\/records\/uploads\?/],
] as const)(
  '%s shows its first row, and neither changes the address nor keeps a person from leaving',
  async ([path, reads]) => {
    await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
    const page = await inspector.open(path);
    await page.locator('[role="row"][aria-selected="true"]').waitFor();
    expect(new URL(page.url()).hash).toBe(`#${path}`);
    await setAddress(page, '/');
    const release = await holdBack(page, reads);
    await setAddress(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    const releaseCode = await holdBack(page, /\/assets\/PrivacyView-.*\.js/);
    await page.getByRole('link', { name: 'Privacy' }).click();
    release();
    await page.locator('[role="row"][aria-selected="true"]').waitFor();
    releaseCode();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/privacy');
  },
);

test('who leaves a person whose company goes meanwhile gets to the other view, though its code comes later', async () => {
  inspector.allowErrors(/40[04]/);
  await inspector.sandbox.control('POST', '/control/companies', { name: 'Lapwing Ltd' });
  const page = await inspector.open('/subscribers');
  await page.getByTitle('Company: Sandpiper Supply Co.').click();
  await page.getByRole('menuitemradio', { name: 'Lapwing Ltd' }).click();
  await page.getByTitle('Company: Lapwing Ltd').waitFor();
  await goTo(page, '/subscribers/per_unknown');
  const releaseCode = await holdBack(page, /\/assets\/PrivacyView-.*\.js/);
  await page.getByRole('link', { name: 'Privacy' }).click();
  await inspector.sandbox.reset();
  await page.getByTitle('Company: Sandpiper Supply Co.').waitFor();
  releaseCode();
  await expectSeen(page.getByRole('heading', { level: 1, name: 'Privacy' }));
});

test('who asks for another view before a first request is refused gets there, and not to the refusal', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/send/);
  const releaseCode = await holdBack(page, /\/assets\/PrivacyView-.*\.js/);
  await page.getByRole('button', { name: 'Send one' }).click();
  await page.getByRole('link', { name: 'Privacy requests', exact: true }).click();
  await letCome(page, /\/control\/send/, release);
  releaseCode();
  await expectSeen(page.getByRole('heading', { level: 1, name: 'Privacy' }));
});

test('the example of a path is sent with a record that is there, not before its id was read', async () => {
  const reply = await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const { uploadId } = reply.body as { readonly uploadId: string };
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/records\/uploads\?/);
  await setAddress(page, '/try/lookupUpload');
  const form = page.getByRole('form', { name: 'GET /product-catalog/uploads/{uploadId}' });
  await form.waitFor();
  const send = page.getByRole('button', { name: 'Send', exact: true });
  expect(await send.isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  release();
  await send.click();
  await expect.poll(() => inspector.sandbox.emulator.recorder.all().at(-1)?.url).toContain(uploadId);
  expect(inspector.sandbox.emulator.recorder.all().map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/product-catalog/uploads',
    `GET /v1/product-catalog/uploads/${uploadId}`,
  ]);
});

test('generated variables name the records of the company, also where these are read later', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/records\/sign-up-units\?/);
  await setAddress(page, '/try/graphql');
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('mutation($one: SubscribeInput!) { subscribe(input: $one) { __typename } }');
  await page.getByRole('button', { name: 'Generate' }).click();
  release();
  const variables = page.getByRole('textbox', { name: 'Variables' });
  await expect.poll(() => variables.innerText()).toContain('"signupSourceId": "100001"');
});

test('the link to a delivery leads to it, and is a text until it is known where that is', async () => {
  const { control } = inspector.sandbox;
  const webhook = { url: 'http://127.0.0.1:9/', events: ['sms.message_link_click'] };
  await control('POST', '/control/webhooks', { ...webhook, companyId: demoCompany });
  await control('POST', '/control/messages', {
    companyId: demoCompany,
    subscriber: { phone: '+15555550100' },
    channel: 'TEXT',
    text: '30% off: https://shop.example.com/deals',
  });
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/record-kinds/);
  // The kinds are read once for a page.
  await page.reload();
  await setAddress(page, '/subscribers');
  const phone = page.getByRole('region', { name: 'Phone, simulated' });
  await page.getByRole('grid', { name: 'People, newest first' }).getByText('+1 555 555 0100').click();
  await phone.getByRole('button', { name: /\/l\// }).click();
  await phone.getByText('sms.message_link_click').waitFor();
  expect(await phone.getByRole('link').count()).toBe(0);
  release();
  await phone.getByRole('link').first().click();
  await expect.poll(() => page.url()).toContain('/webhooks?delivery=');
});

test('a person is shown while the answer about another one is on its way, and that answer then changes nothing', async () => {
  const users = [...inspector.sandbox.emulator.deps.store.users.all()];
  const idOf = (address: string): string =>
    encodeURIComponent(users.find(({ addresses }) => addresses.some(({ value }) => value === address))?.id ?? '');
  const page = await inspector.open('/offers');
  const late = new RegExp(`/control/people/${idOf('ada@example.com')}$`);
  const release = await holdBack(page, late);
  await goTo(page, `/subscribers/${idOf('ada@example.com')}`);
  await goTo(page, `/subscribers/${idOf('+15555550104')}`);
  const shown = page.getByRole('article');
  await shown.and(page.getByLabel('+1 555 555 0104')).waitFor();
  const answered = page.waitForResponse(late);
  release();
  await (await answered).finished();
  await nextFrame(page);
  expect(await shown.getAttribute('aria-label')).toBe('+1 555 555 0104');
});

test('what was just done is undone by its key, also before the window has read what can be undone', async () => {
  const { control, emulator } = inspector.sandbox;
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/undo$/);
  await page.reload();
  await page.getByText('Listening', { exact: true }).waitFor();
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/', events: ['email.opened'] });
  await page.keyboard.press('Control+z');
  release();
  await expect.poll(() => emulator.deps.store.webhooks.size).toBe(0);
});

test('a webhook can be created once the event types are read, and is then sent all of them', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/event-types$/);
  await goTo(page, '/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New webhook' });
  await sheet.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/');
  const create = sheet.getByRole('button', { name: 'Create the webhook' });
  expect(await create.isDisabled()).toBe(true);
  release();
  await create.click();
  await expect.poll(() => [...store.webhooks.all()][0]?.events.length).toBeGreaterThan(5);
});

test('the clock that a change of it answered stays, also where what was read before comes later', async () => {
  const page = await inspector.open('/offers');
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, /\/control\/clock$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    await released;
    return route.fulfill({ response });
  });
  const asked = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().endsWith('/control/clock'),
  );
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/control/clock'),
  );
  // Whatever another client changes, the window reads the clock.
  await inspector.sandbox.control('POST', '/control/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['email.opened'],
  });
  await asked;
  await page.getByRole('button', { name: 'Advance by 30 d' }).click();
  const virtual = page.getByText('virtual +30 d', { exact: true });
  await virtual.waitFor();
  release();
  await (await answered).finished();
  await nextFrame(page);
  expect(await virtual.isVisible()).toBe(true);
});

test('the offset of the clock is the one of the server, also if its answer takes long', async () => {
  const page = await inspector.open('/offers');
  await intercept(page, /\/control\/clock$/, async (route) => {
    const response = await route.fetch();
    await wait(1_500);
    return route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Advance by 30 d' }).click();
  await expectSeen(page.getByText('virtual +30 d', { exact: true }));
});

test('Run sends the GraphQL operation that was asked to be written, also if its variables come late', async () => {
  const page = await inspector.open('/try/graphql');
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page.getByRole('button', { name: 'Mutation type' }).click();
  const release = await holdBack(page, /\/control\/records\//);
  await page.getByRole('button', { name: 'Write an operation with subscribe' }).click();
  // With its answer: what a test leaves on its way would be recorded in the next one.
  const answered = page.waitForResponse(/\/control\/send/);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  release();
  expect((await answered).request().postData()).toMatch(/mutation.*subscribe\(/s);
});

test('an event is about the person of the last link, also if the people for the one before are read later', async () => {
  const page = await inspector.open('/offers');
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isFirst = true;
  await intercept(page, /\/control\/people\?/, async (route) => {
    const waits = isFirst;
    isFirst = false;
    if (waits) await released;
    await route.continue();
  });
  await goTo(page, '/webhooks?fire=1&about=ada@example.com');
  await goTo(page, '/webhooks?fire=1&about=%2B15555550104');
  const subscriber = page.getByRole('combobox', { name: 'Subscriber' });
  await subscriber.getByText('+15555550104').waitFor();
  const answered = page.waitForResponse(/\/control\/people\?/);
  release();
  await (await answered).finished();
  await nextFrame(page);
  expect(await subscriber.innerText()).toContain('+15555550104');
});

test('what is changed in a payload while a new one is on its way stays', async () => {
  const page = await inspector.open('/webhooks?panel=fire');
  await expectSeen(page.getByText('fits its schema'));
  const release = await holdBack(page, /\/control\/trigger\/preview/);
  await page.getByRole('button', { name: 'Start over, without your changes' }).click();
  await editPayload(page, (payload) => payload.replace(/"name": "[^"]*"/, '"name": "Name of mine"'));
  release();
  await expectSeen(page.getByRole('region', { name: 'On the wire' }).getByText('Name of mine'));
});

test('text that is not JSON yet stays while the payload of another event comes, and takes it when it is JSON', async () => {
  const page = await inspector.open('/webhooks?panel=fire&event=email.opened');
  await expectSeen(page.getByText('fits its schema'));
  const pattern = /\/control\/trigger\/preview/;
  const release = await holdBack(page, pattern);
  const asked = page.waitForRequest(pattern);
  await goTo(page, '/webhooks?panel=fire&event=sms.sent');
  await asked;
  await editPayload(page, () => '{ ');
  await expectSeen(page.getByText('not JSON', { exact: true }));
  await letCome(page, pattern, release);
  const editor = page.getByRole('textbox', { name: 'Payload' });
  expect(await editor.innerText()).toBe('{ ');
  await editor.press('Control+End');
  await page.keyboard.type('}');
  await expectSeen(page.getByText('fits its schema'));
  expect(await editor.innerText()).toContain('"type": "sms.sent"');
});

test('who goes elsewhere while what opens another view is on its way stays there', async () => {
  const page = await inspector.open();
  const stays = async (pattern: RegExp, begin: () => Promise<unknown>): Promise<void> => {
    const release = await holdBack(page, pattern);
    const asked = page.waitForRequest(pattern);
    await begin();
    await asked;
    await goTo(page, '/faults');
    await letCome(page, pattern, release);
    await page.unroute(pattern);
    expect(new URL(page.url()).hash).toBe('#/faults');
  };
  await stays(/\/control\/send/, () => page.getByRole('button', { name: 'Send one' }).click());
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  await stays(new RegExp(`/control/requests/${id}\\b`), () => setAddress(page, `/try/getMe?from=${id}`));
});

test('a signature is not judged by the check of another one that comes late', async () => {
  const page = await inspector.open('/webhooks?panel=signature');
  const pattern = /\/control\/signature\/check/;
  const release = await holdBack(page, pattern);
  const signature = page.getByRole('textbox', { name: 'The signature that your receiver computed' });
  await page.getByRole('textbox', { name: 'The body that it received' }).fill('{}');
  await signature.fill('ab');
  const asked = page.waitForRequest(pattern);
  await page.getByRole('button', { name: 'Compare' }).click();
  await asked;
  await signature.fill('cd');
  await letCome(page, pattern, release);
  expect(await page.getByRole('region', { name: 'What differs' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expectSeen(page.getByRole('region', { name: 'What differs' }));
});

test('Edit that is pressed while a replay is being read edits the replay', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await expectSeen(edit);
  const pattern = /\/control\/requests\/\w+$/;
  const release = await holdBack(page, pattern);
  const asked = page.waitForRequest(pattern);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await asked;
  await edit.click();
  await letCome(page, pattern, release);
  await expectSeen(page.getByRole('form', { name: 'Edit and replay' }));
});

test('an editor and a replay that come late are for the request of which they were asked', async () => {
  const { call } = inspector.sandbox;
  const { id } = await (await call('POST', '/subscriptions', { json: { user: { phone: '15555550123' } } })).exchange();
  const { id: other } = await (await call('GET', '/me')).exchange();
  const page = await inspector.open();
  /** Does something with the one, chooses the other, and waits until what was done has its answer. */
  const leave = async (pattern: RegExp, begin: () => Promise<unknown>): Promise<void> => {
    await goTo(page, `/requests/${id}`);
    await expectSeen(page.getByRole('button', { name: 'Edit first' }));
    const release = await holdBack(page, pattern);
    const asked = page.waitForRequest(pattern);
    await begin();
    await asked;
    await goTo(page, `/requests/${other}`);
    await expectGone(page.getByRole('button', { name: 'Edit first' }));
    await letCome(page, pattern, release);
    await page.unroute(pattern);
  };
  await leave(/reveal=true/, () => page.getByRole('button', { name: 'Edit first' }).click());
  expect(await page.getByRole('form', { name: 'Edit and replay' }).count()).toBe(0);
  await leave(/\/control\/send/, () => page.getByRole('button', { name: 'Replay', exact: true }).click());
  await expectSeen(page.getByText(/^Replayed: 4/));
  expect(page.url()).toContain(other);
});

test('a payload is said to fit its schema only once what was typed last is checked', async () => {
  const page = await inspector.open('/webhooks?panel=fire');
  const fits = page.getByText('fits its schema');
  await expectSeen(fits);
  const release = await holdBack(page, /\/control\/trigger\/preview/);
  await editPayload(page, (payload) => payload.replace(/"name": "[^"]*"/, '"name": 7'));
  await expectGone(fits);
  release();
  await expectSeen(page.getByText('does not fit', { exact: true }));
});

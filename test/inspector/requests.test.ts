import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestView } from '../../emulator/control/calls.ts';
import { copyOf, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { intercept } from '../support/intercept.ts';
import { detail, rows, selected } from './requests-support.ts';

const inspector = useInspector();

/** A subscription whose phone number lacks its plus sign. */
async function refused(): Promise<RequestView> {
  const json = { user: { phone: '15555550123' }, signUpSourceId: '100001' };
  return (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
}

async function accepted(phone = '+15555550123'): Promise<RequestView> {
  const json = { user: { phone }, signUpSourceId: '100001' };
  return (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
}

test('a request appears by itself after its reply', async () => {
  const page = await inspector.open('/requests');
  await page.getByText('No request has arrived').waitFor();
  await inspector.sandbox.call('GET', '/webhooks');
  await rows(page).first().waitFor();
  await inspector.sandbox.call('GET', '/me');
  await expectSeen(page.locator('[role="row"] [title="GET /v1/me"]'));
});

test('a refusal is explained: sentence, rule, section, the exact place, the smallest fix', async () => {
  const { id } = await refused();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByText('Refused: The phone "15555550123" is not in E.164 form.').waitFor();
  await detail(page).getByText('subscriptions.phone-e164').first().waitFor();
  await detail(page).getByText('Section 4, Subscribe, 5').waitFor();
  expect(
    await detail(page)
      .getByRole('img', { name: /^Documented/ })
      .count(),
  ).toBe(1);
  await detail(page).getByRole('group', { name: 'The place in the request' }).getByText('"15555550123"').waitFor();
  const fix = detail(page).getByRole('group', { name: 'The fix as a comparison' });
  await fix.getByText('"+15555550123"').waitFor();
  await detail(page).getByText('This request changed nothing.').waitFor();
});

test('a refusal by an assumed rule says why it is assumed', async () => {
  const { id } = await (await inspector.sandbox.call('POST', '/me', { json: {} })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page)
    .getByRole('img', { name: /^Assumed/ })
    .waitFor();
  await expectSeen(detail(page).getByText('Assumed: Section 4 names one method for each operation'));
});

test('the fix is applied by its button and passes, and both requests link to each other', async () => {
  const { id } = await refused();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('button', { name: 'Replay with this fix' }).click();
  await toast(page, 'Replayed with the fix: 202').waitFor();
  await detail(page)
    .getByText(/Accepted: \+15555550123, subscribed to MARKETING by text/)
    .waitFor();
  const phones = [...inspector.sandbox.emulator.deps.store.users.all()].flatMap((user) =>
    user.addresses.map(({ value }) => value),
  );
  expect(phones).toContain('+15555550123');
  await detail(page)
    .getByText('Sent again from')
    .getByRole('link', { name: /400\s*POST \/subscriptions/ })
    .click();
  const replay = detail(page).getByText('You replayed it:').getByRole('link', { name: /202/ });
  await replay.waitFor();
  await page.reload();
  await expectSeen(replay);
});

test('a missing scope is shown, granted to the app that lacks it, and the request sent again; undo takes it back', async () => {
  const json = { user: { phone: '+15555550123' }, signUpSourceId: '100001' };
  const answer = await inspector.sandbox.call('POST', '/subscriptions', { json, key: 'sandpiper-readonly-key' });
  const { id } = await answer.exchange();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByText('needs the scope subscriptions:write').waitFor();
  await detail(page)
    .getByRole('definition')
    .filter({ hasText: /^subscriptions:write$/ })
    .waitFor();
  await detail(page).getByRole('definition').filter({ hasText: 'subscriptions:read' }).waitFor();
  await detail(page).getByText('subscriptions:write to “Read-only app”').waitFor();
  await page.getByRole('button', { name: 'Grant and replay' }).click();
  await toast(page, 'Granted subscriptions:write to “Read-only app”; replayed: 202').waitFor();
  const readOnly = () =>
    inspector.sandbox.call('POST', '/subscriptions', { json, key: 'sandpiper-readonly-key' }).then((one) => one.status);
  expect(await readOnly()).toBe(202);
  await page.keyboard.press('Control+z');
  await expect.poll(readOnly).toBe(403);
  // The request itself was right: nothing else was sent with it.
  const sent = inspector.sandbox.emulator.recorder.all().filter(({ status }) => status === 202);
  expect(sent.every((one) => one.requestHeaders.includes('Bearer sandpiper-readonly-key'))).toBe(true);
});

test('a replay that is refused again is not marked as a success', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/me', { key: 'no-such-key' })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const colour = (): Promise<string> => page.locator('.toast > svg').evaluate((icon) => getComputedStyle(icon).color);
  await detail(page).getByText('there is no API key').waitFor();
  await page.keyboard.press('r');
  await toast(page, 'Replayed: 401').waitFor();
  const refused = await colour();
  await page.keyboard.press('f');
  await toast(page, 'Replayed with the fix: 200').waitFor();
  expect(await colour()).not.toBe(refused);
});

test('overlapping ranges are drawn, with their common part', async () => {
  const range = (start: string, stop: string) => ({
    codes: ['A'],
    distributionStart: `2026-12-${start}T00:00:00Z`,
    distributionStop: `2026-12-${stop}T00:00:00Z`,
  });
  const upload = (json: object) => inspector.sandbox.call('POST', '/coupons/coupon-pool/54100/create', { json });
  await upload(range('01', '10'));
  const { id } = await (await upload(range('05', '15'))).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByTitle('stored: 1 Dec to 10 Dec').waitFor();
  await detail(page).getByTitle('this one: 5 Dec to 15 Dec').waitFor();
  await expectSeen(detail(page).getByText('overlap', { exact: true }));
});

test('the link in a reply opens its request', async () => {
  await accepted();
  const json = { user: { phone: 'nothing' }, signUpSourceId: '100001' };
  const { headers } = await inspector.sandbox.call('POST', '/subscriptions', { json });
  const link = headers.get('x-sandbox-explain') ?? '';
  expect(link).toMatch(/#\/requests\/req_/);
  const page = await inspector.open(link.slice(link.indexOf('#') + 1));
  await detail(page)
    .getByText(/The phone "nothing"/)
    .waitFor();
  expect(await selected(page)).toBe(`row-${link.split('/').at(-1)}`);
});

test('a request is replayed as it was, and edited and replayed', async () => {
  const { id } = await refused();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByRole('button', { name: 'Replay', exact: true }).click();
  await toast(page, 'Replayed: 400').waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);

  const replay = inspector.sandbox.emulator.recorder.all().at(-1)?.id ?? '';
  await detail(page).getByTitle(replay).first().waitFor();
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('form', { name: 'Edit and replay' });
  await editor.getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"user":{"phone":"+15555550177"},"signUpSourceId":"100001"}');
  await editor.getByRole('textbox', { name: 'Headers' }).fill('authorization: Bearer sandpiper-demo-key\nno header');
  await editor.getByText('“no header” is not a header').waitFor();
  expect(await editor.getByRole('button', { name: 'Send it' }).isDisabled()).toBe(true);
  await editor
    .getByRole('textbox', { name: 'Headers' })
    .fill('authorization: Bearer sandpiper-demo-key\ncontent-type: application/json');
  await page.keyboard.press('Control+Enter');
  await toast(page, 'Replayed as edited: 202').waitFor();
  const phones = [...inspector.sandbox.emulator.deps.store.users.all()].flatMap((user) =>
    user.addresses.map(({ value }) => value),
  );
  expect(phones).toContain('+15555550177');
});

test('abandoned edits can be restored', async () => {
  const { id } = await refused();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByText('Refused:').waitFor();
  await page.keyboard.press('e');
  const editor = page.getByRole('form', { name: 'Edit and replay' });
  await editor.getByRole('textbox', { name: 'Path and query' }).fill('/v1/me');
  await page.keyboard.press('Escape');
  await toast(page, 'The edits were discarded').waitFor();
  expect(await editor.count()).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => editor.getByRole('textbox', { name: 'Path and query' }).inputValue()).toBe('/v1/me');
});

test('two requests are compared: the chosen one with the pinned one', async () => {
  const first = await refused();
  const second = await accepted();
  const page = await inspector.open(`/requests/${first.id}`);
  await detail(page).getByText('Refused:').waitFor();
  await page.keyboard.press('x');
  await toast(page, /Pin another request first/).waitFor();
  await page.keyboard.press('p');
  await page.keyboard.press('k');
  await detail(page)
    .getByText(/Accepted/)
    .waitFor();
  await page.keyboard.press('x');
  const comparison = page.getByRole('article', { name: 'Comparison' });
  const body = comparison.getByRole('group', { name: 'Request body' });
  await body.getByText('"15555550123"').waitFor();
  await body.getByText('"+15555550123"').waitFor();
  await comparison.getByRole('group', { name: 'Outcome' }).getByText('400, subscriptions.phone-e164').waitFor();
  await comparison.getByText('Request lineThe same in both.').waitFor();
  expect(page.url()).toContain(`/requests/${second.id}?with=${first.id}`);

  // It is in the address, so it is there after a reload.
  await page.reload();
  await body.getByText('"+15555550123"').waitFor();
  await comparison.getByRole('button', { name: 'Swap' }).click();
  await expect.poll(() => page.url()).toContain(`/requests/${first.id}?with=${second.id}`);
  await page.keyboard.press('Escape');
  await detail(page).getByText('Refused:').waitFor();
});

test('the chain links to people, deliveries and the handler’s calls, and back', async () => {
  const { call, control } = inspector.sandbox;
  const server = createServer((request, response) => {
    const json = { user: { phone: '+15555550123' }, properties: { list: ['a'] } };
    const headers = { 'webhook-id': String(request.headers['webhook-id']) };
    void call('POST', '/attributes/custom', { json, headers }).then(() => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  await control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id } = await accepted();

  const page = await inspector.open(`/requests/${id}`);
  const chain = detail(page).getByRole('list').filter({ hasText: 'person created' });
  await chain.getByText('retrying').waitFor();
  const call1 = chain.getByRole('listitem').filter({ hasText: 'Your handler called' });
  await call1.getByText('attributes.array-value').first().waitFor();
  await call1
    .first()
    .getByRole('link', { name: /400\s*POST \/attributes\/custom/ })
    .click();
  await detail(page)
    .getByText(/Your handler sent it at attempt 1 of/)
    .waitFor();
  await detail(page)
    .getByRole('link', { name: /202\s*POST \/subscriptions/ })
    .click();
  await chain.getByRole('link', { name: '+15555550123' }).click();
  await expect.poll(() => page.url()).toContain('#/subscribers/');
  await page.goBack();
  await chain
    .getByRole('link', { name: url.replace('http://', '') })
    .first()
    .click();
  await expect.poll(() => page.url()).toContain('#/webhooks');
});

test('a request that only came at the same time is not said to be the handler’s', async () => {
  const { call, control } = inspector.sandbox;
  const server = createServer((_request, response) => {
    void call('GET', '/me').then(() => response.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { body } = await control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id } = await accepted();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByText('delivered', { exact: true }).waitFor();
  const possible = detail(page).getByRole('group').filter({ hasText: 'Possibly also' });
  await possible.getByText(/close in time; nothing proves the link/).waitFor();
  expect(await possible.getByRole('link', { name: /GET \/me/ }).isVisible()).toBe(false);
  await possible.getByText('Possibly also').click();
  await possible.getByRole('link', { name: /GET \/me/ }).click();
  await expect.poll(() => page.url()).not.toContain(id);
  await detail(page).getByText('Possibly also').waitFor();
  expect(
    await detail(page)
      .getByText(/Your handler/)
      .count(),
  ).toBe(0);
  expect(body).toBeDefined();
});

test('the key of a new webhook is not shown by the request that made it', async () => {
  const json = { url: 'http://127.0.0.1:9/hook', events: ['sms.sent'] };
  const { id } = await (await inspector.sandbox.call('POST', '/webhooks', { json })).exchange();
  const keys = [...inspector.sandbox.emulator.deps.store.webhooks.all()].map(({ signingKey }) => signingKey);
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByText('signingKey').first().waitFor();
  expect(keys.at(-1)?.length).toBeGreaterThan(8);
  expect(await detail(page).innerText()).not.toContain(keys.at(-1));
});

test('an accepted request opens with whom it was about and what it did, and its body is in sight', async () => {
  const { id } = await accepted();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page)
    .getByText(/Accepted: \+15555550123, subscribed to MARKETING by text/)
    .waitFor();
  await expect
    .poll(() => detail(page).getByRole('group', { name: 'Request body' }).boundingBox())
    .toMatchObject({
      y: expect.toSatisfy((y: number) => y < 600),
    });
  await detail(page).getByRole('link', { name: '+15555550123' }).first().click();
  await expect.poll(() => page.url()).toContain('#/subscribers/');
});

test('a request is copied as curl, fetch, a test, a link and a whole bug report without secrets', async () => {
  const { control, emulator } = inspector.sandbox;
  const [company] = emulator.deps.store.companies.all();
  const key = 'planted-secret-4711';
  await control('POST', '/control/credentials', { companyId: company?.id, secret: key });
  const json = { user: { phone: "15'55" }, signUpSourceId: '100001' };
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { json, key })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const copyAs = async (name: string): Promise<string> => {
    await detail(page).getByRole('button', { name: 'Copy', exact: true }).click();
    const copy = await copyOf(page, () => page.getByRole('menuitem', { name }).click());
    await toast(page, /^Copied as/).waitFor();
    return copy;
  };
  const curl = await copyAs('As curl');
  expect(curl).toContain(`-H 'authorization: Bearer ${key}'`);
  expect(curl).toContain(String.raw`{"user":{"phone":"15'\''55"}`);
  expect(await copyAs('As fetch')).toContain(`await fetch("${emulator.apiUrl}/subscriptions"`);
  expect(await copyAs('As a vitest test')).toContain('expect(response.status).toBe(400);');
  expect(await copyAs('The link to it')).toBe(`${emulator.inspectorUrl}/#/requests/${id}`);
  const report = await copyAs('As a bug report');
  expect(report).toContain('## POST /v1/subscriptions answers 400');
  expect(report).not.toContain(key);
  for (const part of ['subscriptions.phone-e164', 'Smallest fix', 'HTTP/1.1 400 Bad Request', 'Sandpiper ', 'curl '])
    expect(report).toContain(part);
});

test('the filtered requests are exported as HAR, masked by default', async () => {
  const { control, call, emulator } = inspector.sandbox;
  const [company] = emulator.deps.store.companies.all();
  const key = 'planted-secret-4711';
  await control('POST', '/control/credentials', { companyId: company?.id, secret: key });
  await call('GET', '/me', { key });
  await refused();
  const page = await inspector.open('/requests?q=method:GET');
  await expect.poll(() => rows(page).count()).toBe(1);
  const save = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'More for this list' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.har$/);
    // Several files share the browser, so its downloads come as streams.
    return readText(await download.createReadStream());
  };
  const masked = await save('Export 1 request as HAR, secrets masked');
  expect(JSON.parse(masked)).toMatchObject({
    log: { version: '1.2', entries: [{ request: { method: 'GET', url: `${emulator.apiUrl}/me` } }] },
  });
  expect(masked).not.toContain(key);
  await toast(page, 'Exported 1 request as HAR; secrets are masked').waitFor();
  expect(await save('Export as HAR, with the secrets')).toContain(key);
});

test('credentials in headers are masked until they are revealed', async () => {
  const { id } = await accepted();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page)
    .getByRole('tab', { name: /Headers/ })
    .click();
  const headers = detail(page).getByRole('table', { name: 'Request headers' });
  await headers.getByText('Bearer …-key').waitFor();
  await detail(page).getByRole('button', { name: 'Show credentials' }).click();
  await headers.getByText('Bearer sandpiper-demo-key').waitFor();
  await detail(page).getByRole('button', { name: 'Show credentials' }).click();
  await expectSeen(headers.getByText('Bearer …-key'));
});

test('a request that is no longer recorded says so', async () => {
  const page = await inspector.open('/requests');
  inspector.allowErrors(/status of 404/);
  await goTo(page, '/requests/req_gone');
  await expectSeen(page.getByText('This request cannot be shown'));
  await page.getByText(/No request req_gone is recorded/).waitFor();
});

test('a request that is deleted elsewhere is not shown as if it were there, and an undo shows it again', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/webhooks')).exchange();
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open(`/requests/${id}`);
  const bytes = detail(page).getByRole('region', { name: 'Explanation and bytes' });
  await bytes.focus();
  await inspector.sandbox.control('POST', '/control/requests/delete', { ids: [id] });
  await expectSeen(detail(page).getByText('This request is no longer recorded'));
  await expectGone(bytes);
  await expectSeen(page.locator('.rows:focus'));
  await inspector.sandbox.control('POST', '/control/undo', {});
  await expectSeen(bytes);
});

test('what is made of a request stays when that is deleted elsewhere, and can be sent', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/webhooks')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const path = page.getByRole('textbox', { name: 'Path and query' });
  await path.fill('/v1/me?edited');
  await inspector.sandbox.control('DELETE', '/control/requests');
  await expectSeen(
    detail(page)
      .getByRole('alert')
      .getByText(/^The request was deleted/),
  );
  expect(await path.inputValue()).toBe('/v1/me?edited');
  await page.getByRole('button', { name: 'Send it' }).click();
  await expectSeen(toast(page, 'Replayed as edited: 200'));
  expect(inspector.sandbox.emulator.recorder.all().map(({ url }) => url)).toEqual(['/v1/me?edited']);
});

test('the reason why an action on a request failed is not shown at the next request', async () => {
  inspector.allowErrors(/status of 409/);
  const [first, second] = [await refused(), await refused()];
  const page = await inspector.open(`/requests/${first.id}`);
  const refuse = { status: 409, json: { message: 'It was told not to.' } };
  await intercept(page, '**/control/faults', (route) => route.fulfill(refuse));
  await intercept(page, /reveal=true/, (route) => route.fulfill(refuse));
  const said = detail(page).getByText('It was told not to.');
  await detail(page).getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Answer the next one like this, as a fault' }).click();
  await expect.poll(() => said.count()).toBe(1);
  await detail(page).getByRole('tab', { name: 'Headers' }).click();
  await detail(page).getByRole('button', { name: 'Show credentials' }).click();
  await expect.poll(() => said.count()).toBe(2);
  await goTo(page, `/requests/${second.id}`);
  await expectSeen(detail(page).getByTitle(`${second.id}: copy`));
  expect(await said.count()).toBe(0);
});

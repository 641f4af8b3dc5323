import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';
import { xss, xssStrings } from '../support/xss.ts';
import { detail, filter, rows } from './requests-support.ts';
import { subscribe } from '../support/world.ts';

const inspector = useInspector();

const { call } = { call: (...input: Parameters<typeof inspector.sandbox.call>) => inspector.sandbox.call(...input) };

/** Three requests that differ in everything a filter supports. */
async function three(): Promise<void> {
  await call('GET', '/me', { key: 'sandpiper-readonly-key' });
  await subscribe(inspector.sandbox, '15555550123');
  await subscribe(inspector.sandbox, '+15555550123');
}

test('requests are accessible: empty, refused, edited, compared, with menus', async () => {
  const page = await inspector.open('/requests');
  await checkAccess(page);
  await three();
  await expect.poll(() => rows(page).count()).toBe(3);
  await rows(page).nth(1).click();
  await detail(page).getByText('Refused:').waitFor();
  await checkAccess(page);
  await page.keyboard.press('p');
  await detail(page)
    .getByRole('tab', { name: /Headers/ })
    .click();
  await checkAccess(page);
  await page.keyboard.press('e');
  await page.getByRole('form', { name: 'Edit and replay' }).waitFor();
  await checkAccess(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await detail(page).getByText('Accepted:').waitFor();
  await page.keyboard.press('x');
  await page.getByRole('article', { name: 'Comparison' }).getByText('They differ').waitFor();
  await checkAccess(page);
});

test('everything in a request stays text: path, query, headers, bodies, replies, names', async () => {
  const [some] = xssStrings;
  const user = { phone: '+15555550123' };
  await call('GET', `/${encodeURIComponent(xss)}`, { headers: { 'x-note': encodeURIComponent(xss) } });
  await call('GET', '/me', { headers: { 'user-agent': String(some), 'x-<b>': 'x' } }).catch(() => {});
  await call('POST', '/events/custom', { json: { type: xss, user, properties: { [xss.slice(0, 100)]: xss } } });
  await call('POST', '/attributes/custom', { json: { user, properties: { [String(some)]: [xss] } } });
  await call('POST', '/graphql', { json: { query: `{ ${xss} }` } });
  await call('POST', '/subscriptions', { json: { user: { phone: xss }, signUpSourceId: xss } });
  await call('POST', '/subscriptions', { raw: xss, headers: { 'content-type': 'application/json' } });
  await call('POST', '/webhooks', { json: { url: `http://127.0.0.1:9/"${some}`, events: ['sms.sent', xss] } });
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
  const count = await rows(page).count();
  for (let at = 0; at < count; at += 1) {
    await rows(page).nth(at).click();
    for (const tab of ['Request', 'Response', /Headers/]) await detail(page).getByRole('tab', { name: tab }).click();
    await page.keyboard.press('p');
  }
  await rows(page).nth(0).click();
  await page.keyboard.press('x');
  await page
    .getByRole('article', { name: 'Comparison' })
    .getByText(/They differ/)
    .waitFor();
  await filter(page).fill(`path:"${String(some)}" `);
  await page.getByText(/The filter hides/).waitFor();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

/** What arrives late moves nothing that is shown already. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { holdBack, letCome, nextFrame } from '../support/hold-back.ts';

const inspector = useInspector({ pace: 'manual' });

/** The places of all headings and tabs in the view. */
const placesOf = (page: Page): Promise<readonly (readonly [string, number])[]> =>
  page
    .getByRole('main')
    .locator('h1, h2, h3, [role="tab"]')
    .evaluateAll((all) => all.map((one) => [one.textContent, Math.round(one.getBoundingClientRect().top)] as const));

async function offerWithCodes(): Promise<string> {
  await inspector.sandbox.call('POST', '/coupons/coupon-pool/54100/create', { json: { codes: ['ONE', 'TWO'] } });
  return '/offers/54100';
}
async function privacyRequest(): Promise<string> {
  await inspector.sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  return `/privacy/${[...inspector.sandbox.emulator.deps.store.privacyRequests.all()].at(-1)?.id}`;
}
async function upload(): Promise<string> {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  return `/catalog/${[...inspector.sandbox.emulator.deps.store.uploads.all()].at(-1)?.id}`;
}

test.each([
  ['the settings of the server', async () => '/settings', /\/control\/(?:settings|pace|limits)$/],
  ['the diagram of an offer', offerWithCodes, /\/control\/machines$/],
  ['the diagram of a privacy request', privacyRequest, /\/control\/machines$/],
  ['the people of a privacy request', privacyRequest, /\/privacy-requests\/[^/]+\/people$/],
  ['the diagram of an upload', upload, /\/control\/machines$/],
])('when %s comes late, nothing that is shown moves', async (_what, make, late) => {
  const place = await make();
  const page = await inspector.open('/');
  const release = await holdBack(page, late);
  const asked = page.waitForRequest(late);
  await page.evaluate((to) => void (location.hash = to), place);
  await asked;
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await nextFrame(page);
  const before = await placesOf(page);
  await letCome(page, late, release);
  await expect.poll(async () => (await placesOf(page)).length).toBeGreaterThan(before.length);
  const after = new Map(await placesOf(page));
  expect(before.filter(([name, top]) => after.get(name) !== top)).toEqual([]);
});

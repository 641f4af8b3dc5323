import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { eventBody, subscriptionBody } from './api.ts';
import { reportMost, startSandpiper, type Server } from './harness.ts';
import { load } from './load.ts';

const [requests, people, entries] = [20_000, 2_000, 100_000];
const rounds = 5;

/** The views, each with the places to click, one after the other. */
const views: readonly { readonly title: string; readonly clicks: readonly string[] }[] = [
  {
    title: 'Requests',
    clicks: [
      '.rowsin > .row >> nth=3',
      '.rowsin > .row >> nth=9',
      'role=button[name=/^Refused/]',
      'role=button[name=/^All/]',
      '.col.status > button',
      '.col.about > button',
      '.col.time > button',
    ],
  },
  {
    // A row has links of its own.
    title: 'Timeline',
    clicks: [
      '.rowsin > .row time >> nth=2',
      '.rowsin > .row time >> nth=8',
      '.tlhead .seg button >> nth=1',
      '.tlhead .seg button >> nth=0',
    ],
  },
  { title: 'Webhooks', clicks: [] },
  { title: 'Subscribers', clicks: ['.rowsin > .row >> nth=2', '.rowsin > .row >> nth=7'] },
  { title: 'Catalog', clicks: [] },
  { title: 'Offers', clicks: ['.rowsin > .row >> nth=0'] },
  { title: 'Apps and keys', clicks: ['.rowsin > .row >> nth=0'] },
  { title: 'Reference', clicks: ['.rowsin > .row >> nth=3', '.rowsin > .row >> nth=12'] },
  { title: 'Home', clicks: [] },
];

/**
 * The window with 20,000 requests and 2,000 people: from click to paint in each view (Event Timing API), then the
 * timeline with 100,000 entries, scrolled (Long Tasks API).
 */
export async function benchWindow(): Promise<void> {
  const server = await startSandpiper({ args: ['--record-requests', String(entries), '--record-megabytes', '512'] });
  const browser = await launchChromium();
  try {
    for (let made = 0; made < people;)
      made += (
        await load(server, { path: '/subscriptions', method: 'POST', bodies: [subscriptionBody], expect: 202, ms: 500 })
      ).count;
    await fill(server, requests);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.addInitScript(watchPage);
    await page.goto(`${server.inspectorUrl}/#token=${server.token}`);
    await page.getByText('Listening', { exact: true }).waitFor();
    await listAll(page, server);
    for (const view of views) await measureView(page, view);
    await fill(server, entries);
    await measureTimeline(page, server);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * Runs in the page: notes the longest event of each interaction, and the long tasks. Events below 16 ms are not
 * reported.
 */
function watchPage(): void {
  const seen = { taps: new Map<number, number>(), tasks: [] as number[] };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { readonly interactionId: number })[])
      if (entry.interactionId > 0)
        seen.taps.set(entry.interactionId, Math.max(seen.taps.get(entry.interactionId) ?? 0, entry.duration));
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
}

async function measureView(page: Page, { title, clicks }: (typeof views)[number]): Promise<void> {
  await page.evaluate('seen.taps.clear()');
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Search settings' }).waitFor();
    // The data that a view reads when it opens is not part of the next click.
    await page.waitForTimeout(300);
    for (const click of [`.sidebar a.nav:has-text("${title}")`, ...clicks]) {
      await page.locator(click).first().click();
      count += 1;
      await page.waitForTimeout(300);
    }
  }
  // The click on Settings is counted too.
  count += rounds;
  const measured = (await page.evaluate('[...seen.taps.values()]')) as readonly number[];
  const all = [...measured, ...Array.from({ length: Math.max(0, count - measured.length) }, () => 16)].toSorted(
    (one, other) => one - other,
  );
  const [worst, p95] = [all.at(-1) ?? 0, all[Math.ceil(all.length * 0.95) - 1] ?? 0];
  reportMost(`${title}: click to paint, worst of ${count}`, worst, 100, 'ms', `p95 ${p95.toFixed(0)} ms`);
}

/** Lists all requests: at first the window lists only the newest 10,000. */
async function listAll(page: Page, server: Server): Promise<void> {
  await page.goto(`${server.inspectorUrl}/#/requests`);
  const rows = page.getByRole('grid', { name: 'Requests, newest first' });
  await page.locator('.rowsin > .row').first().waitFor();
  await rows.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await page.getByRole('button', { name: /^List .* more$/ }).click();
  await page.waitForTimeout(3_000);
  await rows.evaluate((box) => box.scrollTo({ top: 0 }));
}

async function measureTimeline(page: Page, server: Server): Promise<void> {
  await page.goto(`${server.inspectorUrl}/#/home`);
  for (const which of ['first', 'next']) {
    const began = performance.now();
    const answer = await fetch(`${server.inspectorUrl}/control/timeline?limit=100`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const { total } = (await answer.json()) as { readonly total: number };
    reportMost(`timeline, the server's ${which} page`, performance.now() - began, 1_000, 'ms', `${total} causes`);
  }
  await page.goto(`${server.inspectorUrl}/#/timeline`);
  await page.locator('.rowsin > .row').nth(5).waitFor();
  await page.waitForTimeout(2_000);
  await page.evaluate('seen.tasks.length = 0');
  const grid = page.getByRole('grid', { name: 'Timeline, newest first' });
  await grid.hover();
  const began = performance.now();
  while (performance.now() - began < 30_000) {
    await page.mouse.wheel(0, 1_500);
    await page.waitForTimeout(30);
  }
  const tasks = (await page.evaluate('seen.tasks')) as readonly number[];
  const read = await grid.getAttribute('aria-rowcount');
  const more = `${read} rows read, ${tasks.length} tasks over 50 ms`;
  reportMost('timeline scrolled for 30 s: longest task', Math.max(0, ...tasks), 50, 'ms', more);
}

/** Sends requests until `wanted` of them are recorded. */
async function fill(server: Server, wanted: number): Promise<void> {
  const kept = async (): Promise<number> => {
    const answer = await fetch(`${server.inspectorUrl}/control/health`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    return ((await answer.json()) as { readonly requests: { readonly kept: number } }).requests.kept;
  };
  while ((await kept()) < wanted)
    await load(server, { path: '/events/custom', method: 'POST', bodies: [eventBody], expect: 200, ms: 1_000 });
}

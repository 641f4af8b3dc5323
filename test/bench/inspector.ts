import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../support/chromium.ts';
import { beginProbe, endProbe, heapOf } from '../support/page-load.ts';
import { report, reportMost, startSandpiper, type Server } from './harness.ts';
import { load } from './load.ts';

const recorded = 100_000;
const perSecond = 1_000;
const seconds = 30;
const headers = { authorization: 'Bearer sandpiper-demo-key' };

/** The window under load: 100,000 recorded requests, then 1,000 more per second for 30 s. */
export async function benchInspector(): Promise<void> {
  const server = await startSandpiper({ args: ['--record-requests', String(recorded), '--record-megabytes', '512'] });
  const browser = await launchChromium();
  try {
    while ((await keptBy(server)) < recorded) await load(server, { path: '/me', ms: 3_000 });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`${server.inspectorUrl}/#token=${server.token}`);
    await page.getByText('Listening', { exact: true }).waitFor();
    const began = performance.now();
    await page.goto(`${server.inspectorUrl}/#/requests`);
    await page.locator('.rowsin > .row').first().waitFor();
    reportMost('list of 100,000 recorded requests opens', performance.now() - began, 1_000, 'ms');
    await page.locator('.rowsin > .row').nth(2).click();
    const chosen = await page.locator('.row.on').getAttribute('id');

    const stream = steady(server);
    // The page and the load are warmed up by then.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const before = await heapOf(page);
    await beginProbe(page);
    await new Promise((resolve) => setTimeout(resolve, (seconds - 6) * 1_000));
    const { longestTask, longTasks, mostRows, worstAge, medianAge, frames } = await endProbe(page);
    const after = await heapOf(page);
    const { count, wrong } = await stream;
    if (wrong > 0) throw new Error(`${wrong} of ${count} answers were not 200.`);

    reportMost('longest task', longestTask, 100, 'ms', `${longTasks} over 50 ms`);
    reportMost('rows in the document', mostRows, 150, 'rows');
    reportMost('newest request visible after', worstAge, 500, 'ms', `at worst; usually ${medianAge} ms`);
    const heap = `${before.toFixed(1)} → ${after.toFixed(1)} MB`;
    report('heap of the page, later against earlier', after / before, { atMost: 1.2 }, heap);
    const still =
      (await page.getByRole('article', { name: 'Request' }).isVisible()) &&
      page.url().includes(chosen?.slice(4) ?? '?');
    console.log(
      `        ${(count / seconds).toFixed(0)} requests a second, ${(frames / (seconds - 6)).toFixed(0)} frames a second`,
    );
    if (!still) throw new Error('The chosen request did not stay chosen.');
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function keptBy({ inspectorUrl, token }: Server): Promise<number> {
  const answer = await fetch(`${inspectorUrl}/control/health`, { headers: { authorization: `Bearer ${token}` } });
  const { requests } = (await answer.json()) as { readonly requests: { readonly kept: number } };
  return requests.kept;
}

async function steady({ apiUrl }: Server): Promise<{ readonly count: number; readonly wrong: number }> {
  const input = JSON.stringify({ url: `${apiUrl}/me`, headers, perSecond, ms: seconds * 1_000 });
  const child = spawn(process.execPath, ['test/bench/steady.mjs', input], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return JSON.parse(text) as { count: number; wrong: number };
}

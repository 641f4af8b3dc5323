import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Measurements of a page while requests streamed in. */
export interface PageLoad {
  /** Milliseconds of its longest task; 0 if none took more than 50. */
  readonly longestTask: number;
  readonly longTasks: number;
  /** The most rows that were in the document at once. */
  readonly mostRows: number;
  /** Milliseconds from the arrival of the newest shown request to the frames that show it, the worst and the usual. */
  readonly worstAge: number;
  readonly medianAge: number;
  readonly frames: number;
}

/** Watches the list of requests frame by frame, until `endProbe`. */
export async function beginProbe(page: Page): Promise<void> {
  await page.evaluate(await readFile(new URL('./page-probe.js', import.meta.url), 'utf8'));
}

/** Ends what `beginProbe` began. */
export async function endProbe(page: Page): Promise<PageLoad> {
  // The observer of long tasks reports with a delay.
  const probe = (await page.evaluate(
    'new Promise((done) => setTimeout(() => { probe.stop = true; done(probe); }, 150))',
  )) as Omit<PageLoad, 'worstAge' | 'medianAge' | 'frames'> & { readonly ages: readonly number[] };
  const ages = probe.ages.toSorted((one, other) => one - other);
  return {
    longestTask: Math.round(probe.longestTask),
    longTasks: probe.longTasks,
    mostRows: probe.mostRows,
    worstAge: ages.at(-1) ?? Number.NaN,
    medianAge: ages[ages.length >> 1] ?? Number.NaN,
    frames: ages.length,
  };
}

/** Megabytes of the page's heap, after its garbage was collected. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}

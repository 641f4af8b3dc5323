import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { recordMany } from '../support/record-many.ts';
import { startSandbox } from '../support/sandbox.ts';
import { createSteps } from '../support/steps.ts';
import { act } from '../support/world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-yesterday-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const record = { exchanges: 50_000, bytes: 512 * 1024 * 1024, days: 30 };

beforeAll(async () => {
  const yesterday = await startSandbox({ dataDir, record });
  recordMany(yesterday, 50);
  await yesterday.call('POST', '/subscriptions', { json: { user: { phone: '5555550100' }, signUpSourceId: '100001' } });
  // More than are listed at once.
  recordMany(yesterday, 10_099);
  await act(yesterday, 'POST', '/control/clock', { advance: '1d' });
  await yesterday.close();
});

const inspector = useInspector({ dataDir, record });

const rows = (page: Page) => page.locator('.rowsin > .row');
const older = (page: Page) => page.getByRole('button', { name: 'Search older ones' });
const explained = (page: Page) => page.getByText('The phone "5555550100" is not in E.164 form.').first();

interface Task {
  readonly by: string;
  filter(page: Page): Promise<void>;
  search(page: Page): Promise<void>;
  choose(page: Page): Promise<void>;
}

const tasks: readonly Task[] = [
  {
    by: 'mouse',
    async filter(page) {
      await page.getByRole('combobox', { name: 'Filter' }).click();
      await page.keyboard.type('since:yesterday status:400 ');
    },
    search: (page) => older(page).click(),
    choose: (page) => rows(page).first().click(),
  },
  {
    by: 'keyboard',
    filter: (page) => page.keyboard.type('/since:yesterday status:400 '),
    async search(page) {
      await tabTo(page, older(page));
      await page.keyboard.press('Enter');
    },
    choose: (page) => page.keyboard.press('j'),
  },
];

test("yesterday's refused request is found below 10,000 others in three steps, by mouse and by keyboard, after a restart", async () => {
  await inspector.sandbox.call('GET', '/me', { key: 'wrong' });
  // A reset after the test forgets them all.
  for (const { by, filter, search, choose } of tasks) {
    const page = await inspector.open('/requests');
    await rows(page).first().waitFor();
    const steps = createSteps();
    await steps.do(() => filter(page));
    await page.getByText(/^1\d\d older requests were not searched\./).waitFor();
    expect(await rows(page).count()).toBe(0);
    // They are read from the disk.
    await steps.do(() => search(page));
    await expect.poll(() => rows(page).count()).toBe(1);
    await steps.do(() => choose(page));
    await explained(page).waitFor();
    expect(steps.count, by).toBe(3);
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act } from '../support/world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-yesterday-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const record = { exchanges: 50_000, bytes: 512 * 1024 * 1024, days: 30 };

/** Records accepted requests without sending them, because only their number matters. */
function recordMany({ emulator: { recorder } }: Sandbox, count: number): void {
  for (let left = count; left > 0; left -= 1) {
    const exchange = recorder.open({
      method: 'GET',
      url: '/v1/me',
      httpVersion: '1.1',
      rawHeaders: ['authorization', 'Bearer sandpiper-demo-key'],
      socket: { remoteAddress: '127.0.0.1' },
    } as Parameters<typeof recorder.open>[0]);
    exchange.status = 200;
    exchange.operation = 'GET /me';
    recorder.close(exchange);
  }
}

beforeAll(async () => {
  const yesterday = await startSandbox({ dataDir, record });
  recordMany(yesterday, 8_000);
  await yesterday.call('POST', '/subscriptions', { json: { user: { phone: '5550100' }, signUpSourceId: '100001' } });
  recordMany(yesterday, 11_999);
  await act(yesterday, 'POST', '/control/clock', { advance: '1d' });
  await yesterday.close();
});

const inspector = useInspector({ dataDir, record });

test("yesterday's refused request is found among 20,000 in three steps, after a restart", async () => {
  await inspector.sandbox.call('GET', '/me', { key: 'wrong' });
  const page = await inspector.open('/requests');
  const rows = page.locator('.rowsin > .row');
  await rows.first().waitFor();

  // 1: write the filter.
  await page.keyboard.press('/');
  await page.keyboard.type('since:yesterday status:400 ');
  await page.getByText(/10,\d{3} older requests were not searched\./).waitFor();
  expect(await rows.count()).toBe(0);
  // 2: search those that were read from the disk.
  await page.getByRole('button', { name: 'Search older ones' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  // 3: open it.
  await rows.first().click();
  await page.getByText('The phone "5550100" is not in E.164 form.').first().waitFor();
});

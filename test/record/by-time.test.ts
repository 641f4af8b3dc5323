import { expect, test } from 'vitest';
import type { RequestSummary } from '../../emulator/control/calls.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { startSandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

test("yesterday's requests are found by their time after a restart, and apart from those of today", async () => {
  const dataDir = freshFolder();
  const find = async (sandbox: Sandbox, query: string): Promise<readonly string[]> => {
    const { requests } = await act<{ requests: RequestSummary[] }>(sandbox, 'GET', `/control/requests?${query}`);
    return requests.map(({ url }) => url);
  };
  const first = await startSandbox({ dataDir });
  const moveTo = (sandbox: Sandbox, set: string) => act(sandbox, 'POST', '/control/clock', { set });
  await act(first, 'POST', '/control/clock', { freeze: true });
  await moveTo(first, '2026-03-01T10:00:00Z');
  await first.call('GET', '/me');
  await moveTo(first, '2026-03-02T09:00:00Z');
  await first.call('GET', '/webhooks');
  await first.close();

  const second = await opened({ dataDir });
  await moveTo(second, '2026-03-02T11:00:00Z');
  await second.call('GET', '/product-catalog/uploads');
  const today = ['/v1/webhooks', '/v1/product-catalog/uploads'];
  expect(await find(second, 'since=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z')).toEqual(['/v1/me']);
  expect(await find(second, 'since=2026-03-02T00:00:00Z')).toEqual(today);
  expect(await find(second, 'since=2026-03-02T09:00:00Z&until=2026-03-02T11:00:00Z')).toEqual(['/v1/webhooks']);
  expect(await find(second, 'until=2026-03-02T12:00:00Z')).toEqual(['/v1/me', ...today]);
  expect((await second.control('GET', '/control/requests?since=yesterday')).status).toBe(400);
});

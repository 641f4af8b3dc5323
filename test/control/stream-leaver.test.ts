import { once } from 'node:events';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { opened } from '../support/world.ts';

test('nothing is kept for one who leaves the stream while earlier requests are still loaded', async () => {
  const { emulator, call, control } = await opened();
  const { recorder, token, inspectorUrl } = emulator;
  const { feed } = emulator.deps;
  let watching = 0;
  const { subscribe } = feed;
  feed.subscribe = (watcher) => {
    const stop = subscribe(watcher);
    watching += 1;
    return () => {
      watching -= 1;
      stop();
    };
  };
  let load = (): void => {};
  const loaded = new Promise<void>((resolve) => (load = resolve));
  let asked = 0;
  Object.defineProperty(recorder, 'loaded', { get: () => ((asked += 1), loaded) });

  const request = get(`${inspectorUrl}/control/stream`, { headers: { authorization: `Bearer ${token}` } });
  await expect.poll(() => asked).toBe(1);
  request.destroy();
  await once(request, 'error');
  await call('GET', '/me');
  load();
  await control('GET', '/control/health');
  expect(watching).toBe(0);
});

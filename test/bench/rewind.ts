import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlClient } from '../../emulator/control/client/control-client.ts';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { report } from './harness.ts';

const [few, many] = [100, 2_000];

/**
 * Measures the cost of a rewind, with requests before and after the advance that it takes back, after many rewinds
 * against the first ones.
 */
export async function benchRewind(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  const workerUrl = new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url);
  const emulator = await startEmulator({ ...defaultOptions, port: 0, inspectorPort: 0, dataDir, workerUrl });
  try {
    const client = createControlClient({ url: emulator.inspectorUrl, token: emulator.token });
    emulator.deps.clock.freeze(true);
    const request = async (): Promise<void> => void (await (await fetch(`${emulator.apiUrl}/me`)).arrayBuffer());
    /** CPU of the process, in ms for each rewind. */
    const rewind = async (times: number): Promise<number> => {
      const began = process.cpuUsage();
      for (let time = 0; time < times; time += 1) {
        await request();
        await client.call('POST /control/clock', { body: { advance: '1m' } });
        await request();
        await client.call('POST /control/clock', { body: { rewind: true } });
      }
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000 / times;
    };
    await rewind(few);
    const first = await rewind(few);
    await rewind(many);
    const last = await rewind(few);
    const text = `${last.toFixed(1)} ms against ${first.toFixed(1)} ms`;
    report(`a rewind after ${many} rewinds, against the first ones: CPU`, last / first, { atMost: 2 }, text);
  } finally {
    await emulator.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

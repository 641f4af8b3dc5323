import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator, type Emulator } from '../../emulator/start-emulator.ts';

/** Starts an emulator in memory with the default options, runs work that writes documents about it, and ends it. */
export async function withEmulator(work: (emulator: Emulator) => Promise<void> | void): Promise<void> {
  const emulator = await startEmulator({
    ...defaultOptions,
    port: 0,
    inspectorPort: 0,
    dataDir: null,
    workerUrl: new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url),
  });
  try {
    await work(emulator);
  } finally {
    await emulator.close();
  }
}

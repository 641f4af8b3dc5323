import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator, type Emulator } from '../../emulator/start-emulator.ts';

/** Starts an emulator in a process of its own that a test runs. @param worker the URL of the bundled worker */
export function startInChild(dataDir: string, worker: string): Promise<Emulator> {
  return startEmulator({
    ...defaultOptions,
    port: 0,
    inspectorPort: 0,
    dataDir,
    workerUrl: new URL(worker),
    onNotice: (text) => process.stderr.write(`${text}\n`),
  });
}

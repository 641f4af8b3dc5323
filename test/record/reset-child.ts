/** Starts an emulator on a folder and resets it; it is killed as soon as the state is replaced. */
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';

const [dataDir = '', worker = ''] = process.argv.slice(2);
const { deps, recorder, reset } = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir,
  workerUrl: new URL(worker),
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
await recorder.loaded;
// Called in the same turn of the event loop as the replacement.
deps.store.onReplace(() => process.kill(process.pid, 'SIGKILL'));
await reset('demo');

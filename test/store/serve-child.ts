/** Starts an emulator on a folder, and prints its addresses once it answers. */
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';

const [dataDir = '', worker = ''] = process.argv.slice(2);
const { apiUrl, inspectorUrl } = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir,
  workerUrl: new URL(worker),
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify({ apiUrl, inspectorUrl })}\n`);

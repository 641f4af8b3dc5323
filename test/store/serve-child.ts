/** Starts an emulator on a folder, as another user if one is given, and prints its addresses once it answers. */
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';

const [dataDir = '', worker = '', user = ''] = process.argv.slice(2);
if (user !== '') {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const { apiUrl, inspectorUrl, token } = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir,
  workerUrl: new URL(worker),
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify({ apiUrl, inspectorUrl, token })}\n`);

/** Starts an emulator on a folder, as another user if one is given, and prints its addresses once it answers. */
import { startInChild } from '../support/child-emulator.ts';

const [dataDir = '', worker = '', user = ''] = process.argv.slice(2);
if (user !== '') {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const { apiUrl, inspectorUrl, token } = await startInChild(dataDir, worker);
process.stdout.write(`${JSON.stringify({ apiUrl, inspectorUrl, token })}\n`);

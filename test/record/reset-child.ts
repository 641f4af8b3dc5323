/** Starts an emulator on a folder and resets it; it is killed as soon as the state is replaced. */
import { startInChild } from '../support/child-emulator.ts';

const [dataDir = '', worker = ''] = process.argv.slice(2);
const { deps, recorder, reset } = await startInChild(dataDir, worker);
await recorder.loaded;
// Called in the same turn of the event loop as the replacement.
deps.store.onReplace(() => process.kill(process.pid, 'SIGKILL'));
await reset('demo');

import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { readCountAndSeed } from './counts.ts';

const { count, seed } = readCountAndSeed(
  'fuzz',
  'Sends requests that are made from the schemas, many of them wrong, and prints what must not happen.',
  2_000,
);
const emulator = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir: null,
  checkReplies: true,
  workerUrl: new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url),
  onNotice: (text) => console.error(text),
});
try {
  const findings = await fuzz(emulator, { count, seed });
  console.log(`seed ${seed}: ${count} requests; what must not be: ${findings.length}`);
  for (const { says, request } of findings) console.log(`${says}\n  ${JSON.stringify(request).slice(0, 1_000)}`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await emulator.close();
}

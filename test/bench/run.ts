/* npm run bench [name …]: every figure is paired with its baseline in the same run and printed as a ratio. */
import { spawnSync } from 'node:child_process';
import { benchAdvance } from './advance.ts';
import { benchApi } from './api.ts';
import { benchCatalog } from './catalog.ts';
import { benchCodes } from './codes.ts';
import { benchInspector } from './inspector.ts';
import { benchGrowth, benchSnapshot } from './growth.ts';
import { benchObjects } from './objects.ts';
import { benchStartup } from './startup.ts';
import { benchDelivery, benchRetrying } from './delivery.ts';

const suites: Readonly<Record<string, () => Promise<void>>> = {
  startup: () => benchStartup(),
  api: benchApi,
  growth: benchGrowth,
  snapshot: benchSnapshot,
  codes: () => benchCodes(),
  objects: async () => void (await benchObjects()),
  catalog: async () => void (await benchCatalog()),
  delivery: benchDelivery,
  retrying: benchRetrying,
  advance: benchAdvance,
  inspector: benchInspector,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are ${Object.keys(suites).join(', ')}.`);
  process.exit(1);
}
spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await suite();
}

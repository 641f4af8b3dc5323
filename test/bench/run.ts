/*
 * npm run bench [name …] [-- --against COMMIT]: every figure is paired with its baseline in the same run and printed as
 * a ratio. With a commit, `api` measures its build in the same rounds, and each other named suite is run in turn on
 * both builds, three times or `--rounds N` times. `catalog --full`: a file of 2 GB, which takes minutes.
 * `soak --minutes N`: mixed load for N minutes, by default 10; it runs only if it is named.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { benchAdvance } from './advance.ts';
import { buildCommit, compareSuite, type OtherBuild } from './against.ts';
import { benchApi } from './api.ts';
import { benchCatalog } from './catalog.ts';
import { benchFullCatalog } from './catalog-full.ts';
import { benchCodes } from './codes.ts';
import { benchInspector } from './inspector.ts';
import { benchGrowth, benchSnapshot } from './growth.ts';
import { printTable, report } from './harness.ts';
import { benchMemory } from './memory.ts';
import { benchObjects } from './objects.ts';
import { benchStartup } from './startup.ts';
import { benchPreload } from './preload.ts';
import { benchSoak } from './soak.ts';
import { benchUploads } from './uploads.ts';
import { benchWindow } from './window.ts';
import { benchDelivery, benchRetrying } from './delivery.ts';

const suites: Readonly<Record<string, (other: OtherBuild | null) => Promise<void>>> = {
  startup: () => benchStartup(),
  api: benchApi,
  crash: async () => runStorm(),
  growth: benchGrowth,
  snapshot: benchSnapshot,
  memory: benchMemory,
  codes: () => benchCodes(),
  objects: () => benchObjects(),
  catalog: async () => void (await (values.full ? benchFullCatalog() : benchCatalog())),
  uploads: () => benchUploads(),
  delivery: benchDelivery,
  retrying: benchRetrying,
  advance: benchAdvance,
  inspector: benchInspector,
  preload: () => benchPreload(),
  soak: () => benchSoak(Number(values.minutes)),
  window: () => benchWindow(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    full: { type: 'boolean' },
    minutes: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});
const wanted = positionals.length === 0 && values.against !== undefined ? ['api'] : positionals;
if (!(Number(values.minutes) >= 1)) throw new RangeError('--minutes is a number from 1.');
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds >= 1)) throw new RangeError('--rounds is a whole number from 1.');
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. Available: ${Object.keys(suites).join(', ')}.`);
  process.exit(1);
}
/** Kills and a full disk while fifty connections write. It is a test, so that it also runs with the other tests. */
function runStorm(): void {
  const storm = ['vitest', 'run', '--project', 'server', 'test/store/storm.test.ts'];
  const { status } = spawnSync('npx', storm, { stdio: ['ignore', 'ignore', 'inherit'] });
  const what = 'acknowledged writes lost by kills at 50 connections, or refused ones written on a full disk: failures';
  report(what, status === 0 ? 0 : 1, { atMost: 0 });
}

spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
const other = values.against === undefined ? null : buildCommit(values.against);
try {
  for (const [name, suite] of Object.entries(suites)) {
    if (wanted.length > 0 ? !wanted.includes(name) : name === 'soak') continue;
    console.log(`\n${name}`);
    if (other && name !== 'api') compareSuite(name, other, rounds);
    else await suite(other);
  }
} finally {
  other?.remove();
}
if (other === null) printTable();

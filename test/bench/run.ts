import { spawnSync } from 'node:child_process';
import { Argument, Command } from 'commander';
import { toCount } from '../tools/counts.ts';
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
import { benchRewind } from './rewind.ts';
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
  rewind: benchRewind,
  inspector: benchInspector,
  preload: () => benchPreload(),
  soak: () => benchSoak(values.minutes),
  window: () => benchWindow(),
};

interface Values {
  readonly against?: string;
  readonly rounds: number;
  readonly full?: true;
  readonly minutes: number;
}

const program = new Command('npm run bench --')
  .description('Pairs every figure with its baseline in the same run, and prints their ratio.')
  .addArgument(new Argument('[suite...]', 'by default all but soak').choices(Object.keys(suites)))
  .option('--against <commit>', 'api: measure the build of a commit in the same rounds; others: run on both in turn')
  .option('--rounds <number>', 'how often a suite runs on both builds', toCount, 3)
  .option('--full', 'catalog: a file of 2 GB, which takes minutes')
  .option('--minutes <number>', 'soak: how long the mixed load lasts', toCount, 10)
  .parse();
const values = program.opts<Values>();
const wanted = program.args.length === 0 && values.against !== undefined ? ['api'] : program.args;

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
    if (other && name !== 'api') compareSuite(name, other, values.rounds);
    else await suite(other);
  }
} finally {
  other?.remove();
}
if (other === null) printTable();

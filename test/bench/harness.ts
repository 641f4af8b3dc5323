import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, type Load, type Measured } from './load.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A server in a separate process. */
export interface Server {
  readonly process: ChildProcess;
  readonly apiUrl: string;
  readonly inspectorUrl: string;
  readonly token: string;
  /** Seconds of CPU, user and system, so far. */
  cpu(): number;
  /** Resident memory in MB. */
  memory(): number;
  stop(): Promise<void>;
}

async function launch(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  toUrls: (line: string) => Pick<Server, 'apiUrl' | 'inspectorUrl' | 'token'>,
  folder = root,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  while (!text.includes('\n')) await once(child.stdout, 'data');
  return {
    process: child,
    ...toUrls(text.split('\n')[0] ?? ''),
    cpu: () => cpuOf(child.pid ?? 0),
    memory: () => memoryOf(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/**
 * Starts the built command line as a user does. Its state is in a folder of its own unless `data` names one.
 * @param build the folder of the build, if it is not this one
 */
export async function startSandpiper({
  data,
  args: more = [],
  build,
}: { data?: string; args?: readonly string[]; build?: string | undefined } = {}): Promise<Server> {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  // In another commit the program may have another name.
  const { bin } = JSON.parse(readFileSync(join(build ?? root, 'package.json'), 'utf8')) as {
    bin: { sandpiper: string };
  };
  const args = [bin.sandpiper, 'serve', '--port', '0', '--inspector-port', '0', '--json', '--data', folder, ...more];
  const server = await launch(args, {}, (line) => JSON.parse(line) as Server, build);
  return {
    ...server,
    async stop() {
      await server.stop();
      if (data === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the bare app of baseline.mjs. */
export function startBaseline(serve: 'all' | 'router' = 'all'): Promise<Server> {
  return launch(['test/bench/baseline.mjs'], { SERVE: serve }, (port) => ({
    apiUrl: `http://127.0.0.1:${port}/v1`,
    inspectorUrl: '',
    token: '',
  }));
}

/** Loads two servers in turn, `rounds` times, and returns the medians of the pairs' ratios, ours over theirs. */
export async function paired(
  ours: Server,
  theirs: Server,
  mine: Load,
  its: Load = mine,
  rounds = 5,
): Promise<{ readonly throughput: number; readonly cpu: number; readonly p99: number; readonly text: string }> {
  await load(ours, { ...mine, ms: 700 });
  await load(theirs, { ...its, ms: 700 });
  const pairs: { a: Measured; b: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0;
    const one = await load(first ? theirs : ours, first ? its : mine);
    const other = await load(first ? ours : theirs, first ? mine : its);
    pairs.push(first ? { a: other, b: one } : { a: one, b: other });
  }
  const of = (pick: (measured: Measured) => number) => median(pairs.map(({ a, b }) => pick(a) / pick(b)));
  const ourCpu = median(pairs.map(({ a }) => a.cpu));
  const theirCpu = median(pairs.map(({ b }) => b.cpu));
  const rate = median(pairs.map(({ a }) => a.perSecond));
  return {
    throughput: of(({ perSecond }) => perSecond),
    cpu: of(({ cpu }) => cpu),
    p99: of(({ p99 }) => p99),
    text: `${rate.toFixed(0)}/s, CPU ${ourCpu.toFixed(0)} µs against ${theirCpu.toFixed(0)} µs`,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Values to compare a figure with, as ratios to the same baseline (docs/performance.md says where they come from). */
export interface Yardstick {
  /** A value that nothing of this kind can beat: the same without any work of its own. */
  readonly limit?: string;
  /** The best of the other tools that were measured. */
  readonly peer?: string;
}

type Aim = { readonly atLeast: number } | { readonly atMost: number };

const rows: Readonly<Record<string, string>>[] = [];

/**
 * Prints one line of the report: the figure, its ratio, the target, and whether it is met. The table at the end has all
 * lines.
 */
export function report(what: string, ratio: number, aim: Aim, more = '', yardstick: Yardstick = {}): void {
  const isMet = 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
  const met = isMet ? 'met' : 'MISSED';
  const wanted = 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  console.log(
    `${met.padEnd(6)}  ${ratio.toFixed(2).padStart(6)}×  (aim ${wanted}×)  ${what}${more ? `  [${more}]` : ''}`,
  );
  const { limit = '', peer = '' } = yardstick;
  rows.push({ figure: what, ours: `${ratio.toFixed(2)}×`, aim: `${wanted}× ${met}`, limit, 'best peer': peer });
}

/**
 * Prints one line of the report for a figure that is not a ratio: its value, its unit, and the greatest allowed value.
 */
export function reportMost(what: string, value: number, most: number, unit: string, more = ''): void {
  const met = value <= most ? 'met' : 'MISSED';
  const shown = value < 10 ? value.toFixed(2) : value.toFixed(0);
  console.log(
    `${met.padEnd(6)}  ${shown.padStart(6)} ${unit}  (aim ≤ ${most} ${unit})  ${what}${more ? `  [${more}]` : ''}`,
  );
  rows.push({ figure: what, ours: `${shown} ${unit}`, aim: `≤ ${most} ${unit} ${met}`, limit: '', 'best peer': '' });
}

/** Prints all figures of this run: ours, the aim, the limit and the best peer. */
export function printTable(): void {
  console.log('\nFigures with × are ratios to the baseline that their line names.');
  console.table(rows);
}

const ticksPerSecond = 100;

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

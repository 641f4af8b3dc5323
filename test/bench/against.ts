import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './harness.ts';

/** Another commit, built in a worktree of its own. */
export interface OtherBuild {
  /** The short hash of the commit. */
  readonly name: string;
  readonly folder: string;
  remove(): void;
}

/** Builds a commit in a temporary worktree. It gets the packages of this checkout if its lockfile is the same. */
export function buildCommit(commit: string): OtherBuild {
  const name = execFileSync('git', ['rev-parse', '--short', `${commit}^{commit}`], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), `sandpiper-${name}-`));
  const run = (command: string, args: readonly string[], cwd = folder): void =>
    void execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const remove = (): void => {
    run('git', ['worktree', 'remove', '--force', folder], process.cwd());
    rmSync(folder, { recursive: true, force: true });
  };
  console.log(`Building ${name} in ${folder} …`);
  run('git', ['worktree', 'add', '--quiet', '--detach', '--force', folder, name], process.cwd());
  try {
    const same = readFileSync('package-lock.json').equals(readFileSync(join(folder, 'package-lock.json')));
    if (same) symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    run('npm', ['run', 'build', '--silent']);
  } catch (error) {
    remove();
    throw error;
  }
  return { name, folder, remove };
}

/**
 * Name of a figure of a suite → its value in each round: a ratio to the baseline of the same run, or a value with a
 * unit.
 */
type Figures = ReadonlyMap<string, readonly number[]>;

/**
 * Runs a suite here and the same suite in the other commit, in turn, and prints how the figures compare. This compares
 * the servers, and also the code that a suite measures without a server.
 */
export function compareSuite(name: string, other: OtherBuild, rounds: number): void {
  if (!readFileSync(join(other.folder, 'test/bench/run.ts'), 'utf8').includes(`  ${name}: `)) {
    console.log(`   not in ${other.name}: it has no suite of this name`);
    return;
  }
  const [ours, theirs] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (let round = 0; round < rounds; round++) {
    const sides = [
      { folder: other.folder, figures: theirs },
      { folder: process.cwd(), figures: ours },
    ];
    for (const { folder, figures } of round % 2 === 0 ? sides : sides.toReversed()) measure(name, folder, figures);
  }
  if (ours.size === 0) throw new Error(`The suite ${name} printed no figure that can be compared.`);
  for (const [what, mine] of ours) printComparison(what, mine, theirs, other.name);
}

function measure(name: string, folder: string, figures: Map<string, number[]>): void {
  // Without the script that npm runs before: an install there would first remove its packages, which are those of this
  // checkout.
  const printed = execFileSync('npm', ['run', '--silent', '--ignore-scripts', 'bench', '--', name], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const line of printed.split('\n')) {
    const [, value, what] =
      /^(?:met|MISSED)\s+([\d.]+)[^(]*\((?:aim|at most) [^)]*\)\s+(.+?)(?:\s+\[.*)?$/.exec(line) ?? [];
    if (what !== undefined) figures.set(what, [...(figures.get(what) ?? []), Number(value)]);
  }
}

function printComparison(what: string, mine: readonly number[], theirs: Figures, name: string): void {
  const its = theirs.get(what);
  const list = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(', ');
  console.log(
    its
      ? `${(median(mine) / median(its)).toFixed(2).padStart(6)}× of ${name}  ${what}  [${list(mine)} against ${list(its)}]`
      : `   not in ${name}  ${what}  [${list(mine)}]`,
  );
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './harness.ts';

/** Another commit, built in a worktree of its own. */
export interface OtherBuild {
  /** The commit, in short. */
  readonly name: string;
  readonly folder: string;
  remove(): void;
}

/** Builds a commit in a temporary worktree; with these packages, if its lockfile is the same. */
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

/** What a figure of a suite is, and its value in each round: a ratio to the baseline of its own run, or one with a unit. */
type Figures = ReadonlyMap<string, readonly number[]>;

/**
 * Runs a suite here and as the other commit has it, in turn, and prints how the ratios compare. So the servers are compared, and
 * what a suite measures without one.
 */
export function compareSuite(name: string, other: OtherBuild, rounds: number): void {
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
  // Without what npm runs before: its packages are these, which an install there would remove first.
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

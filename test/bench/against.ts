import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

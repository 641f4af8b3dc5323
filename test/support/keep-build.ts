import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Build } from './built.ts';

export const root = resolve(import.meta.dirname, '../..');

/** The result of a build. If it failed, only the tests that need it fail, and say why. */
export async function toBuild(building: Promise<string>): Promise<Build> {
  try {
    return { dir: await building };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The files that say how things are built. If one of them changes, everything is built again. */
const recipes = ['app', 'bundles', 'inspector', 'keep'].map((name) => `test/support/${name}-build.ts`);

/**
 * Builds into a folder that is kept until its sources change.
 * @param sources files and folders of the checkout that the build uses
 * @param ready a file that the build leaves
 * @returns the folder
 */
export async function keepBuild(
  name: string,
  sources: readonly string[],
  ready: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const cache = join(root, `node_modules/.cache/sandpiper-${name}`);
  const dir = join(cache, hashOf([...sources, ...recipes]));
  if (existsSync(join(dir, ready))) return dir;
  await mkdir(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, 'building-'));
  try {
    await make(aside);
    dropOld(cache);
    renameSync(aside, dir);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another run was quicker.
    if (!existsSync(join(dir, ready))) throw error;
  }
  return dir;
}

/**
 * Runs a build tool as outside of tests: with the NODE_ENV of Vitest, Vue would be built for development.
 * @throws with the output of the tool if it fails
 */
export async function runBuild(cwd: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args[0]} failed:\n${printed}`);
}

/** Removes builds that are more than a day old. */
function dropOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > 86_400_000) rmSync(folder, { recursive: true, force: true });
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const whole = join(root, path);
    if (!existsSync(whole)) continue;
    const files = statSync(whole).isFile()
      ? [whole]
      : readdirSync(whole, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .toSorted();
    for (const file of files) {
      const { mtimeMs, size } = statSync(file);
      hash.update(`${file}\0${mtimeMs}\0${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

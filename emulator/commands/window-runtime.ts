import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isUrl } from '../contract/url.ts';

/** Electron's binary, or a sentence that says why a window is not possible. */
export type Runtime = { readonly binary: string } | { readonly lacks: string };

/** The facts about the system that decide whether a window is possible. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Null if the system has no user ids. */
  readonly uid: number | null;
  /** The folder of the package `electron`; null if it is not installed. */
  readonly packageDir: string | null;
}

/** How long a start may be delayed, in milliseconds. */
export interface Limits {
  /** Enough for 110 MB on a usual connection, and short enough to wait once. */
  readonly download: number;
  /** If the download server does not answer, only a copy in the cache can be used, which is quick. */
  readonly fromCache: number;
  /** How long the download server may take to answer. */
  readonly answer: number;
}

const usual: Limits = { download: 120_000, fromCache: 15_000, answer: 5_000 };

/** The system this process runs on. */
export function surroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    packageDir: findPackage(),
  };
}

/**
 * Finds Electron's binary. If only the package is there, downloads the binary: once, for a limited time, with a
 * message.
 * @param say called with one line before a download
 */
export async function findRuntime(
  { env, platform, uid, packageDir }: Surroundings,
  say: (line: string) => void,
  limits: Limits = usual,
): Promise<Runtime> {
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return { lacks: 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).' };
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const name = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[platform as string];
  if (override) {
    const binary = join(override, name ?? 'electron');
    return existsSync(binary) ? { binary } : { lacks: `ELECTRON_OVERRIDE_DIST_PATH names a folder without ${binary}.` };
  }
  // A binary chosen by the user may run without its sandbox; a downloaded one never does.
  if (platform === 'linux' && uid === 0)
    return { lacks: "Electron's sandbox does not work for root, and this user is root." };
  if (packageDir === null) return { lacks: 'the package electron is not installed here.' };
  const found = installedBinary(packageDir);
  if (found !== null) return { binary: found };
  const problem = await download(packageDir, env, say, limits);
  const binary = installedBinary(packageDir);
  if (binary !== null) return { binary };
  return {
    lacks: `Electron could not be fetched (${problem ?? 'it is not there'}); "npx install-electron" tries again.`,
  };
}

/**
 * The installed binary; null if there is none. `path.txt` is written last, so without it the binary is not complete.
 */
function installedBinary(packageDir: string): string | null {
  const pathFile = join(packageDir, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = join(packageDir, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? binary : null;
}

/** @returns the problem; null if there was none */
async function download(
  packageDir: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  limits: Limits,
): Promise<string | null> {
  const source = env['ELECTRON_MIRROR'] || env['npm_config_electron_mirror'] || 'https://github.com/';
  const isThere = Boolean(env['ELECTRON_GET_USE_PROXY']) || (await answers(source, limits.answer));
  const limitMs = isThere ? limits.download : limits.fromCache;
  if (isThere) say(`Fetching Electron for the window: about 110 MB, once, at most ${limitMs / 1000} s …`);
  const installing = spawn(process.execPath, [join(packageDir, 'install.js')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  installing.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code, signal] = (await once(installing, 'close')) as [number | null, NodeJS.Signals | null];
  if (code === 0) return null;
  if (!isUrl(source)) return `${JSON.stringify(source)}, the place to fetch it from, is not a URL`;
  if (!isThere) return `${new URL(source).host} does not answer`;
  if (signal === 'SIGKILL') return `it took longer than ${limitMs / 1000} s`;
  return printed.trim().split('\n')[0] || `its installer ended with ${code}`;
}

/** Whether a server answers; any answer will do. */
async function answers(url: string, limitMs: number): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    return true;
  } catch {
    return false;
  }
}

function findPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

/** The paths of browsers that systems have. Used only on systems for which the packages have no browser. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-precise-memory-info',
  '--process-per-site',
  // One tile for a page of the usual size: software takes twice as long to put many small ones together.
  '--default-tile-width=1440',
  '--default-tile-height=900',
  // A process keeps the code that it has compiled. Streamed compilation does not look there, and compiles again.
  // The page of a test ends before optimization pays: without optimization, five files took 117 and 122 s of processor
  // time; with it 146 and 143 s, measured in turn.
  '--js-flags=--no-script-streaming --no-opt --no-maglev',
];

/** A headless Chromium, the same on every machine: see `chromiumPath`. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args });
}

/**
 * The browser of the tests: the one that `SANDPIPER_TEST_BROWSER` names, else the one from the packages (Linux, x64),
 * whatever the machine has. For other systems the packages have none, and an installed browser is used.
 * @throws if there is none
 */
async function chromiumPath(): Promise<string> {
  const chosen = process.env['SANDPIPER_TEST_BROWSER'];
  if (chosen) return chosen;
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium();
  const found = installed.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('No browser was found for the tests. Install Chrome, or set SANDPIPER_TEST_BROWSER to a Chromium.');
  return found;
}

/**
 * Unpacks the packaged browser once per version. The package writes into the temporary folder, and takes a half-written
 * file there for a whole one. So a separate process unpacks into a new folder, which is then renamed.
 */
async function unpackChromium(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..');
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `sandpiper-chromium-${version}`);
  const ready = join(folder, 'chromium');
  if (existsSync(ready)) return ready;
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, 'unpacking-'));
  const script = `(await import('@sparticuz/chromium')).default.executablePath()`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: aside },
  });
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another process was quicker.
    if (!existsSync(ready)) throw error;
  }
  return ready;
}

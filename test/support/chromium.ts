import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const installed = [
  process.env['CHROME_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A headless Chromium: the one that is installed, else the one that came with the packages (Linux, x64). */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-precise-memory-info',
    ],
  });
}

async function chromiumPath(): Promise<string> {
  for (const path of installed) if (path !== undefined && path !== '' && existsSync(path)) return path;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No browser was found for the tests. Install Chrome, or set CHROME_PATH to a Chromium.');
  return unpackChromium();
}

/** The package takes a half-written file in the temporary folder for a whole one, so it unpacks into a folder of ours. */
async function unpackChromium(): Promise<string> {
  const ready = join(tmpdir(), 'sandpiper-chromium-143', 'chromium');
  if (existsSync(ready)) return ready;
  const aside = mkdtempSync(join(tmpdir(), 'sandpiper-unpacking-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = aside;
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    await packaged.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  const folder = join(tmpdir(), 'sandpiper-chromium-143');
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another test file was quicker.
    if (!existsSync(ready)) throw error;
  }
  mkdirSync(folder, { recursive: true });
  return ready;
}

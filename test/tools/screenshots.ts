/* npm run screenshots [section …]: pictures of every view from a real run, light and dark, into docs/screenshots/. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { launchChromium } from '../support/chromium.ts';
import { buildInspector } from '../support/inspector-build.ts';
import { fillWorld } from './busy-world.ts';
import { chosenViews, viewsOf } from './views.ts';

const folder = resolve(process.env['SCREENSHOTS'] ?? join(import.meta.dirname, '../../docs/screenshots'));
const size = { width: Number(process.env['WIDTH'] ?? 1440), height: Number(process.env['HEIGHT'] ?? 900) };
const wanted = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const emulator = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir: null,
  pace: 'manual',
  uiDir: await buildInspector(),
  workerUrl: new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url),
});
const world = await fillWorld(emulator);
const views = chosenViews(await viewsOf(emulator, world.refused), wanted);

const browser = await launchChromium();
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: size, colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(`${page.url()}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') console.error(`${page.url()}: ${message.text()}`);
    });
    await page.goto(`${emulator.inspectorUrl}/#token=${encodeURIComponent(emulator.token)}`);
    await page.getByText('Listening', { exact: true }).waitFor();
    for (const [name, path] of views) {
      await page.goto(`${emulator.inspectorUrl}/#${path}`);
      await page.waitForTimeout(700);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  world.close();
  await emulator.close();
}

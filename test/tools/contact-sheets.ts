/*
 * npm run sheets [view …]: one picture of each view with all of its pictures: empty, little and far too much, in three
 * sizes, light and dark, from a real run; and the document that shows them. PICTURES=folder keeps the
 * pictures themselves too. SIZES="960x540 2560x1440" takes other sizes, and then only the pictures: 200 % zoom is half
 * the width and height.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator, type Emulator } from '../../emulator/start-emulator.ts';
import { launchChromium } from '../support/chromium.ts';
import { buildInspector } from '../support/inspector-build.ts';
import { fillWorld } from './busy-world.ts';
import { fillTooMuch } from './too-much.ts';
import { chosenViews, viewsOf } from './views.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const folder = join(docs, 'contact-sheets');
const keptIn = process.env['PICTURES'];
const wanted = process.argv.slice(2);
const otherSizes = process.env['SIZES'];
const sizes = (otherSizes ?? '1024x700 1440x900 1920x1080').split(' ').map((size) => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
});
const themes = ['light', 'dark'] as const;
/** The width of a picture on a sheet. */
const thumbWidth = 400;

interface Fill {
  readonly name: string;
  /** Fills the emulator; returns the request to choose. */
  fill(emulator: Emulator): Promise<string | null>;
}

const fills: readonly Fill[] = [
  {
    name: 'empty',
    async fill({ reset }) {
      await reset('empty');
      return null;
    },
  },
  {
    name: 'little',
    async fill({ apiUrl, recorder }) {
      await fetch(`${apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
      await fetch(`${apiUrl}/me`);
      return recorder.all().at(-1)?.id ?? null;
    },
  },
  {
    name: 'far too much',
    async fill(emulator) {
      const world = await fillWorld(emulator);
      await fillTooMuch(emulator);
      world.close();
      return world.refused;
    },
  },
];

/** A picture as base64 and what it shows. */
interface Picture {
  readonly label: string;
  readonly data: string;
}

mkdirSync(folder, { recursive: true });
const uiDir = await buildInspector();
const browser = await launchChromium();
const pictures = new Map<string, Picture[]>();
try {
  for (const { name, fill } of fills) {
    const emulator = await startEmulator({
      ...defaultOptions,
      port: 0,
      inspectorPort: 0,
      dataDir: null,
      pace: 'manual',
      uiDir,
      workerUrl: new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url),
    });
    try {
      const views = chosenViews(await viewsOf(emulator, await fill(emulator)), wanted);
      for (const colorScheme of themes) {
        const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
        const page = await context.newPage();
        page.on('pageerror', (error) => console.error(`${page.url()}: ${error.stack ?? error.message}`));
        await page.goto(`${emulator.inspectorUrl}/#token=${encodeURIComponent(emulator.token)}`);
        await page.getByText('Listening', { exact: true }).waitFor();
        for (const [view, address] of views) {
          // Opened in the smallest size, so that the part it scrolls to is in sight in the other sizes, too.
          if (sizes[0]) await page.setViewportSize(sizes[0]);
          await page.goto(`${emulator.inspectorUrl}/#${address}`);
          for (const size of sizes) {
            await page.setViewportSize(size);
            await page.waitForTimeout(500);
            await page.getByText('The list is being read.').first().waitFor({ state: 'detached' });
            const path =
              keptIn && join(keptIn, `${view}-${name.replaceAll(' ', '-')}-${size.width}-${colorScheme}.jpg`);
            const data = await page.screenshot({ type: 'jpeg', quality: 90, ...(path ? { path } : {}) });
            const taken = pictures.get(view) ?? [];
            pictures.set(view, [
              ...taken,
              { label: `${name}, ${size.width}×${size.height}, ${colorScheme}`, data: data.toString('base64') },
            ]);
          }
        }
        await context.close();
      }
    } finally {
      await emulator.close();
    }
  }
  if (otherSizes === undefined) await writeSheets();
} finally {
  await browser.close();
}

async function writeSheets(): Promise<void> {
  for (const [view, taken] of pictures) writeFileSync(join(folder, `${view}.webp`), await toSheet(browser, taken));
  if (wanted.length === 0) writeFileSync(join(docs, 'contact-sheets.md'), toDocument([...pictures.keys()]));
}

/** Puts all pictures of a view on one: a row for each fill, a column for each theme and size. */
async function toSheet(from: Browser, taken: readonly Picture[]): Promise<Buffer> {
  const page: Page = await from.newPage();
  const base64 = await page.evaluate(
    async ({ all, columns, width }) => {
      const images = await Promise.all(
        all.map(async ({ data }) => createImageBitmap(await (await fetch(`data:image/jpeg;base64,${data}`)).blob())),
      );
      const [gap, text] = [8, 18];
      const heights = images.map((image) => Math.round((width * image.height) / image.width));
      const tallest = Math.max(...heights) + text + gap;
      const canvas = document.createElement('canvas');
      canvas.width = columns * (width + gap) + gap;
      canvas.height = Math.ceil(all.length / columns) * tallest + gap;
      const context = canvas.getContext('2d');
      if (!context) throw new Error('The browser has no canvas.');
      context.fillStyle = '#8a8f98';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.font = '13px sans-serif';
      context.imageSmoothingQuality = 'high';
      for (const [at, image] of images.entries()) {
        const [x, y] = [gap + (at % columns) * (width + gap), gap + Math.floor(at / columns) * tallest];
        context.fillStyle = '#ffffff';
        context.fillText(all[at]?.label ?? '', x, y + 13);
        context.drawImage(image, x, y + text, width, heights[at] ?? 0);
      }
      return canvas.toDataURL('image/webp', 0.8).split(',')[1] ?? '';
    },
    { all: taken, columns: themes.length * sizes.length, width: thumbWidth },
  );
  await page.close();
  return Buffer.from(base64, 'base64');
}

function toDocument(views: readonly string[]): string {
  const sheets = views.map((view) => `## ${view}\n\n![${view}](contact-sheets/${view}.webp)\n`);
  return `# Every view in every size\n\nMade by \`npm run sheets\` from a real run. Rows: empty, little, far too much. Columns: 1024×700, 1440×900 and\n1920×1080, light and then dark.\n\n${sheets.join('\n')}`;
}

/* npm exec tsx test/tools/icons.ts: the app's icon from the bird of the inspector, into electron/icons/. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launchChromium } from '../support/chromium.ts';

const root = resolve(import.meta.dirname, '../..');
const mark = readFileSync(join(root, 'renderer/public/mark.svg'), 'utf8');
const paths = [...mark.matchAll(/<path[^>]*\/>/g)].map(([path]) => path).join('');

/** The systems draw icons on any background, so the bird has its own; with the margin that macOS requires. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024" width="1024" height="1024">
<style>path{fill:none;stroke:#23201c;stroke-width:0.9;stroke-linecap:round;stroke-linejoin:round}
.body{fill:#23201c;stroke:none}.bill{stroke:#006f7b;stroke-width:1.1}.tide{stroke:#90c9d2;stroke-width:0.8}</style>
<defs><linearGradient id="sand" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#efece8"/></linearGradient></defs>
<rect x="100" y="100" width="824" height="824" rx="186" fill="url(#sand)" stroke="#cfccc7" stroke-width="4"/>
<svg x="202" y="178" width="620" height="620" viewBox="0 0 20 20">${paths}
<path class="tide" d="M4.4 18.6h3.4M15.7 18.6h1.2"/></svg></svg>`;

const browser = await launchChromium();
for (const size of [1024, 512, 256, 128, 64, 48, 32, 16]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block}body>svg{width:${size}px;height:${size}px}</style>${icon}`,
  );
  await page.screenshot({ path: join(root, `electron/icons/${size}x${size}.png`), omitBackground: true });
  await page.close();
}
await browser.close();

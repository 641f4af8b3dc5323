import { readFileSync, writeFileSync } from 'node:fs';
import { launchChromium } from '/work/h/window/repo/test/support/chromium.ts';
const browser = await launchChromium(); const page = await browser.newPage({ viewport: { width: 1440, height: 1800 } });
for (const n of process.argv.slice(2)) {
  const [x, y] = ['before', 'after'].map((d) => `data:image/png;base64,${readFileSync(`/work/h/window/shots-${d}/${n}.png`).toString('base64')}`);
  await page.setContent(`<body style="margin:0"><img src="${x}"><img src="${y}">`); await page.waitForTimeout(300);
  writeFileSync(`/tmp/pair-${n}.png`, await page.screenshot());
}
await browser.close();

import { readFileSync, readdirSync } from 'node:fs';
import { launchChromium } from '../support/chromium.ts';
const [a, b] = process.argv.slice(2) as [string, string];
const browser = await launchChromium();
const page = await browser.newPage();
await page.addInitScript("globalThis.__name = (f) => f"); await page.goto("about:blank"); await page.evaluate("globalThis.__name = (f) => f");
for (const name of readdirSync(a).filter((n) => n.endsWith('.png'))) {
  const [x, y] = [a, b].map((d) => `data:image/png;base64,${readFileSync(`${d}/${name}`).toString('base64')}`);
  const out = await page.evaluate(async ([p, q]) => {
    const load = async (u: string) => { const i = new Image(); i.src = u; await i.decode(); const c = document.createElement('canvas'); c.width = i.width; c.height = i.height; const g = c.getContext('2d')!; g.drawImage(i, 0, 0); return g.getImageData(0, 0, i.width, i.height); };
    const [m, n] = [await load(p!), await load(q!)];
    const rows: number[] = []; const boxes: string[] = []; let count = 0;
    const cell = 40; const hit = new Map<string, number>();
    for (let i = 0; i < m.data.length; i += 4) if (Math.abs(m.data[i]! - n.data[i]!) + Math.abs(m.data[i + 1]! - n.data[i + 1]!) + Math.abs(m.data[i + 2]! - n.data[i + 2]!) > 12) { count++; const px = i / 4; const k = `${Math.floor((px % m.width) / cell) * cell},${Math.floor(px / m.width / cell) * cell}`; hit.set(k, (hit.get(k) ?? 0) + 1); }
    void rows; void boxes;
    return `${count}  ${[...hit].sort((s, t) => t[1] - s[1]).slice(0, 9).map(([k, v]) => `${k}:${v}`).join(' ')}`;
  }, [x, y]);
  console.log(name, out);
}
await browser.close();

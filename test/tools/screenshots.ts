/* npm run screenshots [section …]: pictures of every view from a real run, light and dark, into docs/screenshots/. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { launchChromium } from '../support/chromium.ts';
import { buildInspector } from '../support/inspector-build.ts';
import { fillWorld } from './busy-world.ts';

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
const first = async (kind: string, test: (record: never) => boolean = () => true): Promise<string> => {
  const answer = await fetch(`${emulator.inspectorUrl}/control/records/${kind}?limit=1000`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  const { records } = (await answer.json()) as { records: readonly { id: string }[] };
  return records.find((record) => test(record as never))?.id ?? records[0]?.id ?? '';
};

/** Name → the address of the view with something chosen in it. */
const views: { readonly [name: string]: string } = {
  home: '/',
  requests: `/requests/${world.refused}`,
  timeline: '/timeline',
  webhooks: `/webhooks/${encodeURIComponent(await first('webhooks'))}`,
  fire: `/webhooks/${encodeURIComponent(await first('webhooks'))}?fire=1`,
  subscribers: `/subscribers/${encodeURIComponent(await first('users', ({ email }: { email: string }) => email === 'ada@example.com'))}`,
  catalog: `/catalog/${encodeURIComponent(await first('uploads', ({ report }: { report: { issueCount?: number } | null }) => report !== null && JSON.stringify(report).includes('"errorType"')))}`,
  offers: '/offers/54100',
  privacy: `/privacy/${encodeURIComponent(await first('privacy-requests'))}`,
  attributes: `/attributes/${encodeURIComponent(await first('attribute-definitions'))}`,
  units: `/sign-up-units/${encodeURIComponent(await first('sign-up-units'))}`,
  apps: `/apps/${encodeURIComponent(await first('apps'))}`,
  try: '/try',
  graphql: '/try/graphql',
  faults: '/faults',
  snapshots: '/snapshots',
  problems: '/problems',
  reference: `/reference/${encodeURIComponent('operation:POST /subscriptions')}`,
  settings: '/settings',
};

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
    for (const [name, path] of Object.entries(views)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
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

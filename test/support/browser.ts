import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { EmulatorOptions } from '../../emulator/options.ts';
import type { SharedBrowser } from './browser-server.ts';
import { builtInspector } from './built.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** With animations; tests run without them. */
  readonly motion?: boolean;
}

/** The inspector of a sandbox, in a real Chromium. */
export interface Inspector {
  readonly sandbox: Sandbox;
  /**
   * A separate page (empty storage) with the control token, at a view: `open('/requests')`. An error in its console, an
   * exception, a report of the content security policy or a call to any other origin fails the test, unless
   * `allowErrors` expects it.
   */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** For the rest of the test: messages that are not errors. */
  allowErrors(pattern: RegExp): void;
}

/** The browser of the run. Closing it closes the pages that were opened here. */
export function connectBrowser(): Promise<Browser> {
  const shared: SharedBrowser = inject('browser');
  if ('problem' in shared) throw new Error(`No browser could be started: ${shared.problem}`);
  return chromium.connect(shared.address);
}

/** A reset removes what the page was about to read; the browser logs that reply, and the page reads again. */
const justGone = /404 \(Not Found\) \S+\/control\/(?:companies|records)\//;

/**
 * An emulator with the built inspector, and a browser, for the tests of one file. The demo data is restored before
 * each.
 */
export function useInspector(options: Partial<EmulatorOptions> = {}): Inspector {
  let sandbox: Sandbox | undefined;
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];
  let allowed: RegExp[] = [];
  const get = (): Sandbox => {
    if (!sandbox) throw new Error('The inspector is started before the tests run; use it inside a test.');
    return sandbox;
  };

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startSandbox({ uiDir: builtInspector(), ...options }), connectBrowser()]);
  }, 60_000);
  afterEach(async () => {
    const found = faults.filter((fault) => ![justGone, ...allowed].some((pattern) => pattern.test(fault)));
    for (const context of contexts) await context.close();
    [contexts, faults, allowed] = [[], [], []];
    await sandbox?.reset();
    expect(found, 'the page must run without a fault').toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  async function open(
    path = '/',
    { width = 1440, height = 900, colorScheme = 'light', motion = false }: OpenOptions = {},
  ): Promise<Page> {
    if (!browser) throw new Error('The browser is started before the tests run; open pages inside a test.');
    const { inspectorUrl, token } = get().emulator;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: motion ? 'no-preference' : 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      timezoneId: 'Europe/Berlin',
      locale: 'en-US',
    });
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => faults.push(`exception: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(inspectorUrl) && !/^(?:data|blob|about):/.test(url)) faults.push(`asked elsewhere: ${url}`);
    });
    await page.goto(`${inspectorUrl}/#token=${encodeURIComponent(token)}`);
    // Before the server has replied, so that Home is not drawn first.
    if (path !== '/') await page.goto(`${inspectorUrl}/#${path}`);
    await page.getByText('Listening', { exact: true }).waitFor();
    return page;
  }

  return {
    get sandbox() {
      return get();
    },
    open,
    allowErrors: (pattern) => void allowed.push(pattern),
  };
}

/** The page shows it, now or soon. */
export function expectSeen(wanted: Locator): Promise<void> {
  return wanted.waitFor();
}

/** The page no longer shows it, now or soon. */
export function expectGone(unwanted: Locator): Promise<void> {
  return unwanted.waitFor({ state: 'detached' });
}

/** The rules whose outcome a theme can change; the others judge the same elements in both. */
const themed = ['color-contrast', 'link-in-text-block'];

/** No violation of the accessibility rules of WCAG 2.2 AA (axe), in light and in dark. */
export async function checkAccess(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page });
    if (colorScheme === 'light')
      axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
    else axe.withRules(themed);
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { EmulatorOptions } from '../../emulator/options.ts';
import { builtInspector } from './built.ts';
import { launchChromium } from './chromium.ts';
import { freePort } from './free-port.ts';
import { comeLate, loadLate } from './late.ts';
import { expectNoOwnErrors, startSandbox, type Sandbox } from './sandbox.ts';

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Whether animations run; by default they do not. */
  readonly motion?: boolean;
  /** A page in whose browser the new one is another window, so that it finds what that page stored. */
  readonly beside?: Page;
  /**
   * Whether the page gets a context of its own: a clock that a test installs applies to all pages of a context, also to
   * later ones.
   */
  readonly apart?: boolean;
}

/** The inspector of a sandbox, in a real Chromium. */
export interface Inspector {
  readonly sandbox: Sandbox;
  /**
   * Opens a separate page (empty storage) with the control token, at a view: `open('/requests')`. An error in its
   * console, an exception, a report of the content security policy or a call to any other origin fails the test, unless
   * `allowErrors` expects it.
   */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** Allows messages that are not errors, for the rest of the test. */
  allowErrors(pattern: RegExp): void;
}

let browserOfWorker: Promise<Browser> | undefined;

/**
 * The browser of this worker, for all of its files; it ends with the worker. Workers that share a browser share its
 * clipboard.
 */
export function theBrowser(): Promise<Browser> {
  return (browserOfWorker ??= launchChromium());
}

/** Replies that the browser logs when a reset, an undo or a deletion removed what the page was about to read. */
const justGone = [
  /404 \(Not Found\) \S+\/control\/(?:(?:companies|records)\/|credentials\/\S+\/secret|offers\/\d+\/dates\?|requests\/\w+|sign-up-units\/\w+\/people)/,
  /400 \(Bad Request\) \S+\/control\/\S+[?&](?:company|user|webhook)Id=/,
];

const ofContext: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
  timezoneId: 'Europe/Berlin',
  locale: 'en-US',
};

/** Creates a context, to be closed by the test. Its pages share nothing with those of other contexts. */
export async function newContext(): Promise<BrowserContext> {
  const context = await (await theBrowser()).newContext(ofContext);
  const late = process.env['SANDPIPER_TEST_LATE'];
  if (late) {
    await context.addInitScript(comeLate, late);
    if (late === '1') await context.route(/\/assets\/.*\.js$/, loadLate);
  }
  return context;
}

/** The context of the first page of each test. */
interface Shared {
  /** Whether the test has its first page: the next page must not see what that one stored. */
  readonly isTaken: boolean;
  /** Opens a page at the address, in the process of the others; `begin` gets the page before anything runs in it. */
  open(address: string, begin: (page: Page) => void): Promise<Page>;
  /** The pages of the test that runs. */
  pages(): readonly Page[];
  /** Closes the pages, and removes what they stored. */
  clear(): Promise<void>;
}

/**
 * Opens a context whose pages are in one process, which one of them keeps alive: there the inspector, compiled before,
 * loads in half the time.
 * @param address something small of the inspector's origin
 */
async function openShared(address: string): Promise<Shared> {
  const context = await newContext();
  const keeper = await context.newPage();
  await keeper.goto(address);
  const pages = (): readonly Page[] => context.pages().filter((page) => page !== keeper);
  let isTaken = false;
  return {
    get isTaken() {
      return isTaken;
    },
    async open(target, begin) {
      isTaken = true;
      const opened = new Promise<Page>((resolve) => {
        context.once('page', (page) => {
          begin(page);
          resolve(page);
        });
      });
      // `newPage` would start a process for an empty page, and the inspector would then leave that process.
      await keeper.evaluate((url) => void window.open(url, '_blank', url === 'about:blank' ? '' : 'noopener'), target);
      return opened;
    },
    pages,
    async clear() {
      for (const page of pages()) await page.close();
      await keeper.evaluate(() => localStorage.clear());
      isTaken = false;
    },
  };
}

/** Describes what a page shows, and which element has the focus. */
async function describePage(page: Page): Promise<string> {
  try {
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 });
    return `${page.url()} had the focus at ${focused ?? 'nothing'} and showed\n${shown.slice(0, 8_000)}`;
  } catch (error) {
    return `${page.url()} did not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The shared contexts, for all files of the worker, by the origin of their inspectors. */
const sharedOfWorker = new Map<string, Promise<Shared>>();

function theShared(origin: string): Promise<Shared> {
  const open = sharedOfWorker.get(origin) ?? openShared(`${origin}/mark.svg`);
  sharedOfWorker.set(origin, open);
  return open;
}

/** The port of the inspector that a file of this worker had last. */
let portOfWorker: number | undefined;

/**
 * An emulator with the built inspector, and a browser, for the tests of one file. The demo data is restored before each
 * test.
 */
export function useInspector(options: Partial<EmulatorOptions> = {}): Inspector {
  let sandbox: Sandbox | undefined;
  let shared: Shared | undefined;
  let own: BrowserContext[] = [];
  let faults: string[] = [];
  let allowed: RegExp[] = [];
  const get = (): Sandbox => {
    if (!sandbox) throw new Error('The inspector is started before the tests run; use it inside a test.');
    return sandbox;
  };

  beforeAll(async () => {
    // Files that use one port, one after the other, have one origin: the browser then has the inspector in its cache.
    const inspectorPort = await freePort(portOfWorker);
    portOfWorker = inspectorPort;
    [sandbox] = await Promise.all([startSandbox({ uiDir: builtInspector(), inspectorPort, ...options }), theBrowser()]);
  }, 60_000);
  afterEach(async ({ task }) => {
    const pages = [...(shared?.pages() ?? []), ...own.flatMap((context) => context.pages())];
    const shown = task.result?.state === 'fail' ? await Promise.all(pages.map(describePage)) : [];
    const found = faults.filter((fault) => ![...justGone, ...allowed].some((pattern) => pattern.test(fault)));
    for (const context of own) await context.close();
    await shared?.clear();
    [own, faults, allowed] = [[], [], []];
    await sandbox?.reset();
    expect(found, 'the page must run without a fault').toEqual([]);
    await expectNoOwnErrors(sandbox);
    // Added to the failure, because a failure on another machine may not happen a second time.
    if (shown.length > 0) throw new Error(`When the test failed,\n${shown.join('\n')}`);
  });
  afterAll(async () => {
    await sandbox?.close();
  });

  async function open(
    path = '/',
    { width = 1440, height = 900, colorScheme = 'light', motion = false, beside, apart = false }: OpenOptions = {},
  ): Promise<Page> {
    const { inspectorUrl, token } = get().emulator;
    shared ??= await theShared(inspectorUrl);
    const address = `${inspectorUrl}/#token=${encodeURIComponent(token)}`;
    const watch = (page: Page): void => {
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => faults.push(`exception: ${error.stack ?? error.message}`));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(inspectorUrl) && !/^(?:data|blob|about):/.test(url)) faults.push(`asked elsewhere: ${url}`);
      });
    };
    const isUsual = width === 1440 && height === 900 && colorScheme === 'light' && !motion;
    const isFirst = !shared.isTaken && !beside && !apart;
    let page: Page;
    if (isFirst) page = await shared.open(isUsual ? address : 'about:blank', watch);
    else {
      const context = beside?.context() ?? (await newContext());
      if (!beside) own.push(context);
      page = await context.newPage();
      watch(page);
    }
    if (!isUsual) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: motion ? 'no-preference' : 'reduce' });
    }
    if (isFirst && isUsual) await page.waitForURL(`${inspectorUrl}/#/`, { waitUntil: 'commit' });
    else await page.goto(address);
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

/**
 * Opens another view of the page by its address, `goTo(page, '/offers/54100')`, and waits until it is shown. Until
 * then, a press meets the previous view, which may have a button of the same name.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    interface Mounted extends Element {
      readonly __vue_app__: { config: { globalProperties: { $router: { push(to: string): Promise<unknown> } } } };
    }
    const root = document.querySelector<Mounted>('#app');
    if (!root) throw new Error('The page is not the inspector.');
    const { __vue_app__: app } = root;
    // The page keeps the promise: the browser can collect a promise that only the test waits for.
    const going = app.config.globalProperties.$router.push(to);
    Object.assign(globalThis, { going });
    await going;
  }, path);
}

/** Waits until the page shows an element. */
export function expectSeen(wanted: Locator): Promise<void> {
  return wanted.waitFor();
}

/** Waits until the page no longer shows an element. */
export function expectGone(unwanted: Locator): Promise<void> {
  return unwanted.waitFor({ state: 'detached' });
}

/** Returns the text that an action copies. Waits until the page has written it to the clipboard. */
export async function copyOf(page: Page, copying: () => Promise<unknown>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copying();
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read, { message: 'something is copied' }).not.toBe('');
  return read();
}

/** The rules whose outcome a theme can change. The others judge the same elements in both themes. */
const themed = ['color-contrast', 'link-in-text-block'];

/** The source of the axe version that the builder uses. */
const { source: axeSource } = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))(
  'axe-core',
) as {
  readonly source: string;
};

/**
 * Checks that no accessibility rule of WCAG 2.2 AA is violated (axe), in light and in dark.
 * @param within a selector of the part to check: an open menu is in no landmark, but only a whole page needs landmarks
 */
export async function checkAccess(page: Page, within?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const hasFrames = page.frames().length > 1;
    // The builder would load axe twice for each run, although a later run finds it in the page.
    if (!hasFrames && !(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const axe = new AxeBuilder({ page, axeSource: hasFrames ? axeSource : 'void 0' });
    // In legacy mode, axe opens no page to join results: only frames need one.
    axe.setLegacyMode(!hasFrames);
    // Otherwise it would describe each element that passes, too.
    axe.options({ resultTypes: ['violations'] });
    if (within !== undefined) axe.include(within);
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

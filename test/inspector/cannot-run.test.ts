import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { theBrowser, useInspector } from '../support/browser.ts';
import { nextFrame } from '../support/hold-back.ts';

const inspector = useInspector();

/** The page does not scroll to what is below the window. */
async function expectInView(shown: Locator): Promise<void> {
  const box = await shown.boundingBox();
  expect(box?.y ?? Infinity).toBeLessThan(200);
}

/** As Chrome before 123, Safari before 17.5 and Firefox before 120. */
async function withoutLightDark(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...asked: [string, string?]) =>
      !asked.join().includes('light-dark') && supports(...(asked as [string, string]));
  });
  // To a browser that is older than a function of style sheets, its name means nothing.
  await page.route('**/*.css', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replaceAll('light-dark(', 'not-known-yet(') });
  });
}
/** As Firefox 120 to 123. */
const withoutAny = (page: Page): Promise<unknown> =>
  page.addInitScript(() => void Reflect.deleteProperty(AbortSignal, 'any'));

test.each([
  ['light-dark in styles', withoutLightDark],
  ['AbortSignal.any', withoutAny],
])(
  'a browser without %s is too old for the inspector: it shows which ones are not, and nothing else',
  async (_, age) => {
    const context = await (await theBrowser()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await age(page);
    const { inspectorUrl, token } = inspector.sandbox.emulator;
    await page.goto(`${inspectorUrl}/#token=${encodeURIComponent(token)}`);
    await page.getByRole('heading', { name: 'This browser is too old for the inspector' }).waitFor();
    expect(await page.getByText('Chrome or Edge 123, Firefox 124, Safari 17.5').isVisible()).toBe(true);
    await page.keyboard.press('Control+k');
    await nextFrame(page);
    expect(await page.locator('body').innerText()).toMatch(/^This browser is too old[^]*work without it\.\s*$/);
  },
);

test('a browser that runs no scripts says that the inspector needs them', async () => {
  const context = await (await theBrowser()).newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(inspector.sandbox.emulator.inspectorUrl);
  expect(await page.locator('body').innerText()).toContain('The inspector needs JavaScript.');
  await expectInView(page.locator('noscript .cannot-run'));
  expect(await page.getByText('too old').isVisible()).toBe(false);
});

test('a browser that blocks cookies and site data says that the inspector needs them', async () => {
  const context = await (await theBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
  });
  await page.goto(inspector.sandbox.emulator.inspectorUrl);
  const heading = page.getByRole('heading', { name: 'This browser does not let the inspector store anything' });
  await heading.waitFor();
  await expectInView(heading);
  expect(await page.getByText('too old').isVisible()).toBe(false);
});

/** What is pressed looks so, whatever kind of control it is: where nothing hovers, nothing else shows that it was met. */
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';
import { mixed, useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const { upload } = useCatalog(inspector);

const controls = 'a[href], button, summary, input[type=checkbox], [role=menuitem], [role=option], .rowsin > .row';

test('every kind of control looks different while it is pressed, also with forced colours', async () => {
  const { call } = inspector.sandbox;
  const id = await upload(mixed);
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  const refused = await call('POST', '/subscriptions', { json: { user: { phone: '5555550100' } } });
  const request = (await refused.exchange()).id;
  const page = await inspector.open('/');
  const browser = await page.context().newCDPSession(page);
  await browser.send('DOM.enable');
  await browser.send('CSS.enable');
  const seen = new Set<string>();
  const same = new Set<string>();

  const views: readonly (readonly [path: string, shown: string])[] = [
    ['/', '.latest a'],
    [`/requests/${request}`, '[role=tab]'],
    ['/timeline', '.rowsin > .row'],
    ['/webhooks', '.wh-endpoint'],
    [`/catalog/${id}`, '.cat-issues .row'],
    ['/offers/54100', '.dg-state'],
    ['/subscribers', '.rowsin > .row'],
    ['/try/getMe', '.try-op.on'],
    ['/faults', '.fl-preset'],
    ['/settings', '.switch'],
  ];
  for (const [path, shown] of views) {
    await goTo(page, path);
    await page.locator(shown).first().waitFor();
    // The first of each kind; one in another, as a link in a row, is pressed without it.
    const kinds = await page.locator(controls).evaluateAll(
      (all, [which, known]) => {
        const isOn = (one: Element): boolean =>
          !one.matches(':disabled, [aria-disabled=true]') && one.checkVisibility({ opacityProperty: true });
        const kindOf = (one: Element): string => `${one.tagName} ${one.className}`;
        const outer = all.filter((one) => isOn(one) && !one.parentElement?.closest(which));
        const firsts = new Map(outer.toReversed().map((one) => [kindOf(one), one]));
        for (const kind of known) firsts.delete(kind);
        for (const [kind, one] of firsts) one.setAttribute('data-pressed', kind);
        return [...firsts.keys()];
      },
      [controls, [...seen]] as const,
    );
    for (const kind of kinds) seen.add(kind);
    const { root } = await browser.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await browser.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-pressed]' });
    const looks = async (...forcedPseudoClasses: string[]): Promise<ReadonlyMap<string, string>> => {
      for (const nodeId of nodeIds) await browser.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
      const found = await page.locator('[data-pressed]').evaluateAll((all) =>
        all.map((one) => {
          const { backgroundImage, opacity } = getComputedStyle(one);
          return [one.getAttribute('data-pressed') ?? '', `${backgroundImage} ${opacity}`] as const;
        }),
      );
      return new Map(found);
    };
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors });
      const [rest, hover, pressed] = [await looks(), await looks('hover'), await looks('hover', 'active')];
      for (const [kind, look] of pressed)
        if (look === rest.get(kind) || look === hover.get(kind)) same.add(`${path}: ${kind}, forced: ${forcedColors}`);
      await looks();
    }
    await page
      .locator('[data-pressed]')
      .evaluateAll((all) => all.forEach((one) => one.removeAttribute('data-pressed')));
  }
  expect(seen.size).toBeGreaterThan(40);
  expect([...same]).toEqual([]);
});

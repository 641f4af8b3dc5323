/** Another company is shown: its records, and nothing else of the view changes. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { askPalette } from '../support/frame.ts';
import { act, subscribe } from '../support/world.ts';

const inspector = useInspector({ pace: 'manual' });
const placeOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash);

const ways = {
  async menu(page: Page) {
    await page.getByTitle('Company: Sandpiper Supply Co.').click();
    await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  },
  async palette(page: Page) {
    await askPalette(page, 'switch to dunlin');
    await expectSeen(page.getByRole('option', { name: /Switch to Dunlin Outfitters/ }));
    await page.keyboard.press('Enter');
  },
} as const;

test.each([
  ['menu', '/reference/rule:subscriptions.phone-e164'],
  ['menu', '/settings?q=pace'],
  ['menu', '/try/getMe'],
  ['menu', '/timeline?q=kind:request'],
  ['palette', '/timeline?q=kind:request'],
] as const)('the company is switched with the %s, and %s is still shown', async (way, place) => {
  const page = await inspector.open(place);
  await ways[way](page);
  await expectSeen(page.getByTitle('Company: Dunlin Outfitters'));
  expect(placeOf(page)).toBe(`#${place}`);
});

test.each([
  ['menu', '/offers/54100', '#/offers'],
  ['palette', '/offers/54100', '#/offers'],
  ['menu', '/sign-up-units/100001', '#/sign-up-units'],
] as const)('when the company is switched with the %s, %s is left, which is not its own', async (way, place, left) => {
  const page = await inspector.open(place);
  await ways[way](page);
  await expectSeen(page.getByTitle('Company: Dunlin Outfitters'));
  await expect.poll(() => placeOf(page)).toBe(left);
});

/** The address of a record of the company shown at first, and the names of the acts that its detail offers. */
const ofSandpiperSupply = {
  async person() {
    await subscribe(inspector.sandbox, '+15555550100');
    return `/subscribers/${[...inspector.sandbox.emulator.deps.store.users.all()].at(-1)?.id}`;
  },
  async upload() {
    await act(inspector.sandbox, 'POST', '/control/uploads', { companyId: demoCompany, validateOnly: true });
    return `/catalog/${[...inspector.sandbox.emulator.deps.store.uploads.all()].at(-1)?.id}`;
  },
  async delivery() {
    const hook = { url: 'http://127.0.0.1:9/hooks', events: ['email.opened'] };
    const { id } = await act<{ readonly id: string }>(inspector.sandbox, 'POST', '/control/webhooks', hook);
    await act(inspector.sandbox, 'POST', '/control/trigger', { type: 'email.opened', to: id });
    return `/webhooks?delivery=${[...inspector.sandbox.emulator.deps.store.deliveries.all()].at(-1)?.id}`;
  },
};

test.each([
  ['person', /they do not belong to Dunlin Outfitters/, 'Compose'],
  ['upload', /it does not belong to Dunlin Outfitters/, 'Get link'],
  ['delivery', /it does not belong to Dunlin Outfitters/, 'More for this delivery'],
] as const)(
  'the %s of another company is not shown at its address, and cannot be acted on',
  async (what, says, verb) => {
    const place = await ofSandpiperSupply[what]();
    const page = await inspector.open(place);
    await page.getByRole('main').getByRole('button', { name: verb }).first().waitFor();
    await ways.menu(page);
    await goTo(page, place);
    await expectSeen(page.getByText(says));
    await expectGone(page.getByRole('main').getByRole('button', { name: verb }));
  },
);

test('at a moment at which the company did not exist yet, each view says so, and lists nothing of another company', async () => {
  const { call, control, emulator } = inspector.sandbox;
  await call('GET', '/me');
  await emulator.deps.clock.advance(3_600_000);
  await control('POST', '/control/companies', { name: 'Later shop' });
  const page = await inspector.open('/timeline');
  const choose = async (name: string): Promise<void> => {
    await page.getByTitle(/^Company: /).click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  await page.getByRole('slider', { name: 'Moment to look at' }).press('Home');
  await expectSeen(page.getByText('Looking back at'));
  for (const path of ['subscribers', 'offers', 'attributes', 'sign-up-units', 'webhooks', 'apps']) {
    await choose('Sandpiper Supply Co.');
    await goTo(page, `/${path}`);
    if (path !== 'webhooks') await expectSeen(page.getByRole('main').getByRole('row').first());
    await choose('Later shop');
    await expectSeen(page.getByText(/^This company did not exist at the moment that you look at/).first());
    expect(await page.getByRole('main').getByRole('row').count()).toBe(0);
    await expectGone(page.getByText('The list is being read.'));
  }
  await page.getByRole('button', { name: 'Return to now' }).click();
  await expectGone(page.getByText(/^This company did not exist/).first());
});

test.each([1121, 1200, 1300])(
  'in a window of %i pixels a long name of a company does not reach under the search',
  async (width) => {
    const name = 'A company with a name that is as long as a name may well be';
    await inspector.sandbox.control('POST', '/control/companies', { name });
    const page = await inspector.open('/', { width, height: 700 });
    await page.getByTitle(/^Company: /).click();
    await page.getByRole('menuitemradio', { name }).click();
    const [company, search] = [
      await page.getByTitle(`Company: ${name}`).boundingBox(),
      await page.locator('.find').boundingBox(),
    ];
    expect((company?.x ?? 9_999) + (company?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0);
  },
);

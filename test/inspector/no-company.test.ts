/** In an empty world nothing is offered that a company must come before; the view leads to the new company instead. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });
beforeEach(() => inspector.sandbox.emulator.reset('empty'));

const newCompany = (page: Page) => page.getByRole('dialog', { name: 'New company' });

test.each([
  ['subscribers', 'A subscriber belongs to a company', /^(New|Subscribe someone)/],
  ['catalog', 'A catalog belongs to a company', /^New/],
  ['offers', 'An offer belongs to a company', /^New/],
  ['attributes', 'An attribute belongs to a company', /^New/],
  ['sign-up-units', 'A unit belongs to a company', /^New/],
  ['webhooks', 'A webhook belongs to a company', /^New/],
])('%s offers to create a company first, with the cursor in its name', async (path, says, creating) => {
  const page = await inspector.open(`/${path}`);
  const line = page.getByText(says);
  await line.waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: creating }).count()).toBe(0);
  await line.getByRole('link', { name: 'Create a company' }).click();
  await newCompany(page).waitFor();
  await expect
    .poll(() =>
      newCompany(page)
        .getByLabel('Name')
        .evaluate((field) => field.matches(':focus')),
    )
    .toBe(true);
  await page.keyboard.type('Own shop');
  await page.keyboard.press('Enter');
  await page.getByTitle('Company: Own shop').waitFor();
  await newCompany(page).waitFor({ state: 'detached' });
  await goTo(page, `/${path}`);
  await page.getByRole('main').getByRole('button', { name: creating }).first().waitFor();
  expect(await line.count()).toBe(0);
});

test('the palette says why nothing can be created yet', async () => {
  const page = await inspector.open('/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('create an offer');
  await page.keyboard.press('Enter');
  await page.getByText('Create an offer: There is no company yet').waitFor();
  expect(await page.getByRole('dialog', { name: 'New offer' }).count()).toBe(0);
});

test('no event can be fired, and the button that would do it is not the first thing to do', async () => {
  const page = await inspector.open('/webhooks');
  const fire = page.getByRole('button', { name: 'Fire an event' });
  await fire.waitFor();
  expect(await fire.isDisabled()).toBe(true);
  expect(await fire.getAttribute('title')).toBe('There is no company yet');
  expect(await page.getByText('Fire an event by hand').count()).toBe(0);
  await inspector.sandbox.control('POST', '/control/companies', { name: 'Own shop' });
  await expect.poll(() => fire.isEnabled()).toBe(true);
  await page.getByText('Fire an event by hand').waitFor();
});

test('the webhooks and deliveries of a company that is taken away go from the view, too', async () => {
  inspector.allowErrors(/404 .*\/control\/deliveries\//);
  const { control, reset } = inspector.sandbox;
  await reset();
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['email.opened'] });
  await control('POST', '/control/trigger', { type: 'email.opened', subscriber: { email: 'ada@example.com' } });
  const page = await inspector.open('/webhooks');
  const [hook, delivery] = [
    page.getByRole('navigation', { name: 'Endpoints' }).getByRole('button', { name: /hooks/ }),
    page.getByRole('grid', { name: /^Deliveries/ }).getByText('email.opened'),
  ];
  await expectSeen(hook);
  await expectSeen(delivery);
  await control('POST', '/control/reset', { world: 'empty' });
  await expectSeen(page.getByText('A webhook belongs to a company'));
  await expectGone(hook);
  await expectGone(delivery);
});

test('another company is created from the switch of companies', async () => {
  await inspector.sandbox.control('POST', '/control/companies', { name: 'Own shop' });
  const page = await inspector.open('/offers');
  await page.getByTitle('Company: Own shop').click();
  await page.getByRole('menuitem', { name: 'Another company' }).click();
  await expectSeen(newCompany(page));
});

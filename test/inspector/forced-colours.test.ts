import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();

/** How an element, or what is drawn before or after it, looks: with forced colours, what the system makes of it. */
const lookOf = (element: Locator, part?: '::before'): Promise<string> =>
  element.evaluate((one, drawn) => {
    const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(one, drawn);
    return `${outlineStyle} ${outlineWidth}, ${backgroundColor}`;
  }, part);

/** What a system colour is at the moment, as computed styles write it. */
const colourOf = (element: Locator, name: string): Promise<string> =>
  element.evaluate((one, wanted) => {
    const probe = document.createElement('span');
    probe.style.cssText = `forced-color-adjust: none; background: ${wanted}`;
    one.append(probe);
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  }, name);

test('with forced colours the selected row, a switch that is on and the marks of the clock are seen', async () => {
  await inspector.sandbox.call('GET', '/me');
  // Its link expires: something is to come.
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/requests');
  await page.emulateMedia({ forcedColors: 'active' });
  const body = page.locator('body');
  const [highlight, text] = [await colourOf(body, 'Highlight'), await colourOf(body, 'CanvasText')];

  const row = page.getByRole('grid', { name: 'Requests, newest first' }).getByRole('row').filter({ hasText: '/me' });
  await row.first().click();
  const selected = page.locator('[role="row"][aria-selected="true"]');
  await expectSeen(selected);
  expect(await lookOf(selected)).toMatch(/^solid 2px/);
  expect(await lookOf(page.locator('.statusbar .dot'))).toContain(text);
  expect(await lookOf(page.locator('.tideline'), '::before')).toContain(text);
  expect(await lookOf(page.locator('.tick').first(), '::before')).toContain(text);
  expect(await lookOf(page.locator('.tidenow'))).toContain(highlight);

  await goTo(page, '/settings');
  const contrast = page.getByRole('switch', { name: 'More contrast' });
  const off = await lookOf(contrast);
  await contrast.click();
  await expect.poll(() => lookOf(contrast)).toContain(highlight);
  expect(off).not.toContain(highlight);
});

test('with forced colours the state of now differs from the others by its background', async () => {
  const page = await inspector.open('/offers');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('grid').getByRole('row').first().click();
  const now = page.locator('.dg-state.now').first();
  await expectSeen(now);
  expect(await lookOf(now)).toContain(await colourOf(now, 'Highlight'));
});

test('with forced colours what is chosen has an edge, wherever it is chosen', async () => {
  const page = await inspector.open('/try');
  await page.emulateMedia({ forcedColors: 'active' });
  await expect.poll(() => lookOf(page.locator('[aria-current="true"]').first())).toMatch(/^solid 2px/);
  await page.keyboard.press('Control+k');
  await expect.poll(() => lookOf(page.locator('[data-highlighted]').first())).toMatch(/^solid 2px/);
});

test('with forced colours an icon has a colour of the system, whatever the theme', async () => {
  const page = await inspector.open('/settings');
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Light', exact: true }).click();
  const icon = page.locator('.navgroup + .nav > .ic').first();
  const probe = page.locator('body');
  const colour = await icon.evaluate((one) => getComputedStyle(one).color);
  expect(colour).toBe(await colourOf(probe, 'LinkText'));
});

test('with forced colours the lines of a diagram, the bars of the timeline and of progress are seen', async () => {
  const { body } = await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  await fetch((body as { readonly uploadUrl: string }).uploadUrl, { method: 'PUT', body: '{}' });
  const page = await inspector.open('/offers');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('grid').getByRole('row').first().click();
  const text = await colourOf(page.locator('body'), 'CanvasText');
  // The diagram comes after the list.
  await page.locator('.dg-edge').first().waitFor({ state: 'attached' });
  const strokes = await page.locator('.dg-edge').evaluateAll((all) => all.map((one) => getComputedStyle(one).stroke));
  const known = await Promise.all(
    ['CanvasText', 'GrayText', 'Highlight'].map((name) => colourOf(page.locator('body'), name)),
  );
  expect(strokes.length).toBeGreaterThan(0);
  expect(strokes.filter((stroke) => !known.includes(stroke))).toEqual([]);

  await goTo(page, '/timeline');
  await expectSeen(page.locator('.scrub .passed'));
  expect(await lookOf(page.locator('.scrub .passed'))).toContain(text);

  await goTo(page, '/catalog');
  const bar = page.getByRole('progressbar', { name: 'Checked' });
  await expectSeen(bar);
  expect(await bar.evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe('1px');
});

test('with forced colours the refusals of a day and the channels of a subscriber are told apart', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/x', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  await call('POST', '/subscriptions', { json: {} });
  const page = await inspector.open('/');
  await page.emulateMedia({ forcedColors: 'active' });
  const text = await colourOf(page.locator('body'), 'CanvasText');
  const refusals = page.getByRole('region', { name: /^Refusals by rule/ }).locator('.bars i:not(.none)');
  await expectSeen(refusals.first());
  expect(await lookOf(refusals.first())).toContain(text);
  const bars = page.getByRole('region', { name: /^Receivers/ }).locator('.wh-strip path');
  await expectSeen(bars.first());
  expect(new Set(await bars.evaluateAll((all) => all.map((one) => getComputedStyle(one).fill)))).toEqual(
    new Set([text]),
  );

  await goTo(page, '/subscribers');
  const person = page.getByRole('row').filter({ hasText: '+1 555 555 0123' });
  const inkOf = (title: string): Promise<string> =>
    person
      .getByTitle(title, { exact: true })
      .locator('.ic')
      .evaluate((one) => getComputedStyle(one).color);
  const [ink, grey] = [
    await colourOf(page.locator('body'), 'CanvasText'),
    await colourOf(page.locator('body'), 'GrayText'),
  ];
  expect(grey).not.toBe(ink);
  expect([await inkOf('subscribed by TEXT'), await inkOf('not subscribed by EMAIL')]).toEqual([ink, grey]);
});

test('with forced colours an unopened email has its mark, an opened one has none, and a text has an edge', async () => {
  const { control } = inspector.sandbox;
  const subscriber = { phone: '+15555550100', email: 'ada@example.com' };
  for (const subject of ['Low tide', 'High tide'])
    await control('POST', '/control/messages', {
      companyId: demoCompany,
      channel: 'EMAIL',
      name: subject,
      subject,
      text: 'Hello',
      subscriber,
    });
  await control('POST', '/control/messages', {
    companyId: demoCompany,
    channel: 'TEXT',
    name: 'Tide',
    text: 'Hello',
    subscriber,
  });
  const page = await inspector.open('/subscribers');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('row').filter({ hasText: '555 0100' }).first().click();
  const inbox = page.getByRole('region', { name: 'Inbox, simulated' });
  await inbox.getByRole('button', { name: /Unopened: Low tide/ }).click();
  const opened = inbox.getByRole('button', { name: /^Low tide/ });
  await expectSeen(opened);
  const text = await colourOf(page.locator('body'), 'CanvasText');
  const unopened = inbox.getByRole('button', { name: /Unopened: High tide/ });
  expect(await lookOf(unopened.locator('u'))).toContain(text);
  expect(await lookOf(opened.locator('u'))).not.toContain(text);
  const bubble = page.getByRole('log', { name: 'Texts' }).locator('.sub-bubble').first();
  await expectSeen(bubble);
  expect(await bubble.evaluate((one) => getComputedStyle(one).outline)).toBe(`${text} solid 1px`);
});

import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { checkAccess, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { xssStrings } from '../support/xss.ts';

const inspector = useInspector({ pace: 'manual' });

const subscribe = () =>
  inspector.sandbox.call('POST', '/subscriptions', {
    json: {
      user: { phone: '+4915112345678' },
      locale: { language: 'de', country: 'DE' },
      subscriptionType: 'MARKETING',
    },
  });
const setAttribute = (properties: object, phone = '+15555550100') =>
  inspector.sandbox.call('POST', '/attributes/custom', { json: { user: { phone }, properties } });

test('a sign-up unit is created, and a subscription through it is counted', async () => {
  const page = await inspector.open('/sign-up-units');
  expect((await subscribe()).status).toBe(400);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New sign-up unit' });
  await sheet.getByRole('textbox', { name: 'Language' }).fill('de');
  await sheet.getByRole('textbox', { name: 'Country' }).fill('DE');
  await sheet.getByRole('button', { name: 'Create the unit' }).click();
  const detail = page.getByRole('region', { name: 'The selected sign-up unit' });
  await detail.getByRole('heading', { name: 'API de-DE marketing' }).waitFor();
  await detail.getByText('No one yet.').waitFor();
  expect((await subscribe()).status).toBe(202);
  await detail.getByRole('link', { name: '+4915112345678' }).waitFor();
  await page.getByRole('row', { name: /API de-DE marketing\s*1/ }).waitFor();
});

test('units with the same locale say so, and link to each other', async () => {
  inspector.allowErrors(/404/);
  const page = await inspector.open('/sign-up-units/100003');
  await page.getByText('several matches are refused with 400').waitFor();
  await page.getByRole('link', { name: '100004' }).click();
  await expect.poll(() => page.url()).toContain('100004');
  await page.getByRole('region', { name: 'The selected sign-up unit' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete the unit' }).click();
  await page.getByText('This sign-up unit does not exist').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('several matches are refused with 400').waitFor();
});

test('a wrong country is refused in place, and the form stays open', async () => {
  inspector.allowErrors(/400/);
  const page = await inspector.open('/sign-up-units/100001');
  await page.getByRole('region', { name: 'The selected sign-up unit' }).getByRole('button', { name: 'Edit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Edit the sign-up unit' });
  await sheet.getByRole('textbox', { name: 'Country' }).fill('Germany');
  await sheet.getByRole('button', { name: 'Save the unit' }).click();
  await sheet.getByRole('alert').getByText('two upper-case letters').waitFor();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expectGone(sheet);
});

test('an attribute with fixed values is created, enforced by the API, and its values are counted', async () => {
  inspector.allowErrors(/404/);
  const page = await inspector.open('/attributes');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New attribute' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('size');
  await sheet.getByRole('textbox', { name: /^Values/ }).fill('S\nM\nL');
  await sheet.getByRole('button', { name: 'Create the attribute' }).click();
  const detail = page.getByRole('region', { name: 'The selected attribute' });
  await detail.getByRole('heading', { name: 'size' }).waitFor();
  const refused = await setAttribute({ size: 'XXL' });
  expect([refused.status, refused.rule]).toEqual([400, 'attributes.fixed-values']);
  expect((await setAttribute({ size: 'M' })).status).toBe(200);
  await detail.getByRole('row', { name: /^M 1/ }).getByRole('link', { name: '+15555550100' }).waitFor();
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => inspector.sandbox.emulator.deps.store.attributeDefinitions.get(`${demoCompany}:size`))
    .toBeUndefined();
  expect((await setAttribute({ size: 'XXL' })).status).toBe(200);
});

test('a set that loses a value says which people keep it, and undo restores it', async () => {
  await setAttribute({ 'favorite color': 'blue' });
  const page = await inspector.open(`/attributes/${encodeURIComponent(`${demoCompany}:favorite color`)}`);
  const detail = page.getByRole('region', { name: 'The selected attribute' });
  await detail.getByRole('button', { name: 'Edit' }).click();
  const values = page.getByRole('textbox', { name: /^Values/ });
  await values.fill('green\nred');
  await page.getByRole('button', { name: 'Save the attribute' }).click();
  // As long as the form is there, Control+z is for what was typed.
  await expectGone(values);
  await detail.getByText('no longer allowed').waitFor();
  expect((await setAttribute({ 'favorite color': 'blue' })).status).toBe(400);
  await page.keyboard.press('Control+z');
  await detail.getByText('no longer allowed').waitFor({ state: 'detached' });
  expect((await setAttribute({ 'favorite color': 'blue' })).status).toBe(200);
});

test('values that two windows change at once keep both changes, and a set that ended meanwhile keeps all', async () => {
  const { control, emulator } = inspector.sandbox;
  const values = (): readonly string[] | null | undefined =>
    emulator.deps.store.attributeDefinitions.get(`${demoCompany}:tier`)?.values;
  const fields = { companyId: demoCompany, name: 'tier', type: 'string', values: ['silver', 'gold'] };
  await control('POST', '/control/attributes', fields);
  const place = `/attributes/${encodeURIComponent(`${demoCompany}:tier`)}`;
  const page = await inspector.open(place);
  const field = page.getByRole('textbox', { name: /^Values/ });
  const detail = page.getByRole('region', { name: 'The selected attribute' });
  await detail.getByRole('button', { name: 'Edit' }).click();
  await field.fill('silver\ngold\nplatinum');
  await control('POST', `/control${place}`, { values: ['gold', 'bronze'] });
  await detail.getByText('bronze').first().waitFor();
  await page.getByRole('button', { name: 'Save the attribute' }).click();
  await expect.poll(values).toEqual(['gold', 'platinum', 'bronze']);

  await detail.getByRole('button', { name: 'Edit' }).click();
  await field.fill('gold\nplatinum\nbronze\niron');
  await control('POST', `/control${place}`, { values: null });
  await page.getByText('any string').first().waitFor();
  await page.getByRole('button', { name: 'Save the attribute' }).click();
  await expect.poll(values).toEqual(['gold', 'platinum', 'bronze', 'iron']);
});

test('an attribute links to the request that created it', async () => {
  await setAttribute({ age: '24' });
  const page = await inspector.open(`/attributes/${encodeURIComponent(`${demoCompany}:age`)}`);
  await page.getByText('its first value set the type').waitFor();
  await page.getByRole('link', { name: /POST \/attributes\/custom/ }).click();
  await expect.poll(() => page.url()).toContain('#/requests/');
});

test('an attribute is created with the keyboard alone', async () => {
  const page = await inspector.open('/attributes');
  await tabTo(page, page.getByRole('button', { name: 'New', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New attribute' }).waitFor();
  await page.keyboard.type('by keys');
  await tabTo(page, page.getByRole('checkbox', { name: /fixed set/ }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Create the attribute' }));
  await page.keyboard.press('Enter');
  await expectSeen(page.getByRole('heading', { name: 'by keys' }));
});

test('a search of attributes does not find what is not shown: the company in their ids', async () => {
  await setAttribute({ tier: 'gold' });
  const page = await inspector.open('/attributes');
  const search = page.getByRole('textbox', { name: 'Search: Attributes' });
  await search.fill(demoCompany.slice(0, 4));
  await expectSeen(page.getByText('No attribute found'));
  await search.fill('ier');
  await expectSeen(page.getByRole('row', { name: /tier/ }));
});

test('both views are accessible, and show names and values as text', async () => {
  const name = xssStrings.slice(0, 5).join(' ').slice(0, 200);
  await setAttribute({ [name]: xssStrings.join(' ') });
  await inspector.sandbox.control('POST', '/control/sign-up-units/100001', { name: name.slice(0, 200) });
  const page = await inspector.open(`/attributes/${encodeURIComponent(`${demoCompany}:${name}`)}`);
  await page.getByRole('cell', { name: /gnp\.exe/ }).waitFor();
  await checkAccess(page);
  await page.getByRole('region', { name: 'The selected attribute' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').waitFor();
  await checkAccess(page);
  await page.keyboard.press('Escape');
  await goTo(page, '/sign-up-units/100001');
  await page.getByText('People who subscribed through it').waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('the first value of an attribute has the type that was chosen for it, or is refused at its field', async () => {
  const page = await inspector.open('/subscribers');
  await page.getByRole('button', { name: 'Set an attribute' }).click();
  const sheet = page.getByRole('dialog', { name: /^Set an attribute/ });
  const [type, value] = [sheet.getByRole('combobox', { name: /^Type/ }), sheet.getByLabel(/^Value/)];
  const set = sheet.getByRole('button', { name: 'Set the attribute' });
  await sheet.getByLabel('Name', { exact: true }).fill('  shoe size ');
  await type.click();
  await page.getByRole('option', { name: 'number' }).click();
  for (const typed of ['12 cm', '90071992547409931', '0x1F']) {
    await value.fill(typed);
    await set.click();
    await sheet.getByRole('alert').getByText('Write a number of 15 digits at most, such as 12.5.').waitFor();
    await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true');
  }
  await type.click();
  await page.getByRole('option', { name: 'boolean' }).click();
  await set.click();
  await sheet.getByRole('alert').getByText('Choose true or false.').waitFor();
  await type.click();
  await page.getByRole('option', { name: 'number' }).click();
  await value.fill('12');
  await set.click();
  await expectGone(sheet);
  const { store } = inspector.sandbox.emulator.deps;
  const made = [...store.attributeDefinitions.all()].filter(({ name }) => name === 'shoe size');
  expect(made).toMatchObject([{ type: 'number' }]);
});

test('the value that was written for one attribute is not set for another one', async () => {
  const page = await inspector.open('/subscribers');
  await page.getByRole('button', { name: 'Set an attribute' }).click();
  const sheet = page.getByRole('dialog', { name: /^Set an attribute/ });
  await sheet.getByLabel(/^Value/).fill('seven');
  await sheet.getByRole('combobox', { name: /^Attribute/ }).click();
  await page.getByRole('option', { name: /favorite color/ }).click();
  await expect.poll(() => sheet.getByRole('combobox', { name: /^Value/ }).innerText()).toContain('Choose');
  await sheet.getByRole('combobox', { name: /^Attribute/ }).click();
  await page.getByRole('option', { name: 'A new one' }).click();
  await expect.poll(() => sheet.getByLabel(/^Value/).inputValue()).toBe('');
});

test('of many units with the same locale and type the first are named and the others counted', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const unit = store.signUpUnits.get('100001');
  if (!unit) throw new Error('The demo world has no sign-up unit 100001.');
  store.transact(() => {
    for (let id = 200_000; id < 201_100; id += 1) store.signUpUnits.put({ ...unit, id: String(id) });
  });
  const page = await inspector.open('/sign-up-units/100001');
  const twins = page.getByText('Not at all: 1,100 other units have the same');
  await expectSeen(twins.getByText('200007'));
  expect(await twins.innerText()).toMatch(/ 200006 200007 and 1,092 more$/);
});

/** Commands that the window offers work as they are; where there is no key, the view leads to where one is created. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyOf, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });

test.each([
  ['/', /^Create a company/],
  ['/requests', /^Create a company/],
  ['/timeline', /^Create a company/],
  ['/subscribers', /^Create a company/],
  ['/catalog', /^Create a company/],
  ['/privacy', /^Create a company/],
  ['/try/getMe', /^Create a company/],
  [`/reference/${encodeURIComponent('operation:POST /subscriptions')}`, /^Apps and keys/],
])('in an empty world %s shows no command with a key that does not exist', async (path, link) => {
  await inspector.sandbox.emulator.reset('empty');
  const page = await inspector.open(path);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: link }).waitFor();
  // The reference shows the example of the contract, and says whose key it is.
  const wrong = path.startsWith('/reference') ? /YOUR-KEY/ : /sandpiper-demo-key|YOUR-KEY|Send one$/m;
  expect(await main.innerText()).not.toMatch(wrong);
  await main.getByRole('link', { name: link }).click();
  await page.getByText('New company').first().waitFor();
});

test('with a company of one’s own, each command has its key, masked where it is shown, and is accepted', async () => {
  const { emulator, control } = inspector.sandbox;
  await emulator.reset('empty');
  const company = await control('POST', '/control/companies', { name: 'Own shop' });
  const offer = await control('POST', '/control/offers', {
    companyId: (company.body as { readonly id: string }).id,
    name: 'Spring',
    window: 'custom-time-period',
    apiUploads: true,
  });
  const { id } = offer.body as { readonly id: string };
  const page = await inspector.open('/requests');
  await page.getByRole('button', { name: 'Copy a curl command that sends it' }).waitFor();
  const commands: string[] = [];
  for (const [path, button] of [
    ['/requests', 'Copy a curl command that sends it'],
    ['/subscribers', 'Copy a curl command that names someone'],
    ['/catalog', 'Copy a curl command that initiates one'],
    ['/privacy', 'Copy: Command'],
    [`/offers/${id}`, 'Copy a curl command that uploads codes'],
  ] as const) {
    await goTo(page, path);
    const main = page.getByRole('main');
    const command = await copyOf(page, () => main.getByRole('button', { name: button }).click());
    const key = /Bearer (\S+?)'/.exec(command)?.[1] ?? '';
    expect(key.length).toBeGreaterThan(10);
    expect(await main.innerText()).not.toContain(key);
    commands.push(command);
  }
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`]);
    expect(stdout, command).toMatch(/^20\d$/);
  }
});

test('a company with the name of a demo company is not taken for it: its commands and its sheets use its own key', async () => {
  const name = 'Sandpiper Supply Co.';
  const { body } = await inspector.sandbox.control('POST', '/control/companies', { name });
  const page = await inspector.open('/subscribers');
  await page.getByTitle(`Company: ${name}`).click();
  const [demo, own] = [
    page.getByRole('menuitemradio', { name }).first(),
    page.getByRole('menuitemradio', { name }).last(),
  ];
  expect(await demo.innerText()).toContain('demo');
  expect(await own.innerText()).not.toContain('demo');
  await own.click();
  const { id: companyId, key } = body as { readonly id: string; readonly key: string };
  const button = page.getByRole('button', { name: 'Copy a curl command that names someone' });
  expect(await copyOf(page, () => button.click())).toContain(`Bearer ${key}'`);
  const unit = { companyId, language: 'en', country: 'US', type: 'MARKETING' };
  await inspector.sandbox.control('POST', '/control/sign-up-units', unit);
  await page.getByRole('button', { name: 'Subscribe someone' }).click();
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('+15555550177');
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByRole('button', { name: 'Unsubscribe from MARKETING by TEXT' }).click();
  await page.getByRole('button', { name: 'Subscribe to MARKETING by TEXT again' }).waitFor();
  await goTo(page, '/try/getMe');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const sent = () => inspector.sandbox.emulator.recorder.all().map(({ operation, companyId: of }) => [operation, of]);
  await expect
    .poll(sent)
    .toEqual(['POST /subscriptions', 'POST /subscriptions/unsubscribe', 'GET /me'].map((one) => [one, companyId]));
});

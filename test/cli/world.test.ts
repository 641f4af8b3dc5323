import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { runIn, serve, start, stop, type Served } from '../support/process.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A folder with these files. */
function project(files: { readonly [name: string]: string }): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  cleanUps.push(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

async function started(...args: readonly string[]): Promise<Served> {
  const served = await serve(args);
  cleanUps.push(() => stop(served, 'SIGKILL'));
  return served;
}

async function companyOf({ apiUrl }: Served, key: string): Promise<unknown> {
  const answer = await fetch(`${apiUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok ? ((await answer.json()) as { companyName: string }).companyName : answer.status;
}

const yaml = (name: string): string => `companies:\n  - name: ${name}\napps:\n  - { name: Shop, key: shop-key-1 }\n`;
const typed = `import { defineWorld } from 'sandpiper/config';
const names = ['Typed'] as const;
export default defineWorld({
  companies: names.map((name) => ({ name })),
  apps: [{ name: 'Shop', key: 'shop-key-1' }],
});
`;

test.for([
  ['world.yaml', yaml('Plain'), 'Plain'],
  ['world.json', '{"companies":[{"name":"Json"}],"apps":[{"name":"Shop","key":"shop-key-1"}]}', 'Json'],
  ['world.ts', typed, 'Typed'],
] as const)('serve --world loads %s', async ([name, text, company]) => {
  const served = await started('--memory', '--world', join(project({ [name]: text }), name));
  expect(await companyOf(served, 'shop-key-1')).toBe(company);
  expect(await companyOf(served, 'sandpiper-demo-key')).toBe(401);
});

test('of a world without an app, serve says that there is no key', async () => {
  const file = join(project({ 'world.json': '{"companies":[{"name":"Acme"}]}' }), 'world.json');
  const running = start('serve', '--memory', '--world', file, '--port', '0', '--inspector-port', '0');
  cleanUps.push(() => running.process.kill('SIGKILL'));
  const greeting = await running.output('Press Ctrl+C to stop.');
  expect(greeting).toContain('API key        none: no private app has one\n');
  expect(greeting).not.toContain('Authorization');
});

test('reset reads the world file again, --demo goes to the demo world, and undo comes back', async () => {
  const folder = project({ 'world.yaml': yaml('Before') });
  const served = await started('--memory', '--world', join(folder, 'world.yaml'));
  const at = ['--url', served.inspectorUrl, '--token', served.token];
  writeFileSync(join(folder, 'world.yaml'), yaml('After'));
  const { stdout } = await command('reset', ...at);
  expect(stdout).toMatch(
    /^Everything was reset to the world .*world\.yaml\. "sandpiper undo undo_\d+" reverts that\.$/m,
  );
  expect(await companyOf(served, 'shop-key-1')).toBe('After');
  await command('reset', '--demo', ...at);
  expect(await companyOf(served, 'shop-key-1')).toBe(401);
  await command('undo', ...at);
  expect(await companyOf(served, 'shop-key-1')).toBe('After');
  writeFileSync(join(folder, 'world.yaml'), 'companies: none');
  const refused = await command('reset', ...at);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('world.yaml:1: "companies" is "none", not a list.'),
  });
  expect(await companyOf(served, 'shop-key-1')).toBe('After');
});

test('a value of a world file that is too short or of another form is told what is taken', async () => {
  const declared = [
    'companies: [{ name: "" }]',
    'apps: [{ name: Shop, key: abc }]',
    'offers: [{ id: x1, name: Summer }]',
    `signUpUnits: [{ name: ${'Pop-up '.repeat(40)}}]`,
  ];
  const files = { 'world.yaml': declared.join('\n') };
  const { code, stderr } = await runIn(project(files), ['serve', '--memory', '--world', 'world.yaml', '--port', '0']);
  expect(code).toBe(2);
  expect(stderr.split('\n')).toEqual(
    expect.arrayContaining([
      'sandpiper: world.yaml:1: "companies[0].name" is "", not text of 1 to 200 characters.',
      'sandpiper: world.yaml:2: "apps[0].key" is "abc", not text such as "my-own-api-key" of 8 to 200 characters or null.',
      'sandpiper: world.yaml:3: "offers[0].id" is "x1", not text such as "54100".',
      expect.stringMatching(
        /^sandpiper: world\.yaml:4: "signUpUnits\[0\]\.name" is "Pop-up .*"…, not text of 1 to 200 characters\.$/,
      ),
    ]),
  );
});

test('for a phone or an id that YAML reads as a number the advice is to put it in quotes', async () => {
  const declared = [
    'companies: [{ name: Heron }]',
    'subscribers: [{ addresses: [+15555550100] }]',
    'offers: [{ id: 300 }]',
  ];
  const files = { 'world.yaml': declared.join('\n') };
  const { stderr } = await runIn(project(files), ['serve', '--memory', '--world', 'world.yaml', '--port', '0']);
  expect(stderr).toContain(
    '"subscribers[0].addresses[0]" is 15555550100, not text that is not empty. Put it in quotes.',
  );
  expect(stderr).toContain('"offers[0].id" is 300, not text such as "54100". Put it in quotes.');
});

test('--watch follows the file, and says what is wrong with it', async () => {
  const folder = project({ 'world.yaml': yaml('First') });
  const file = join(folder, 'world.yaml');
  const served = await started('--memory', '--world', file, '--watch');
  let said = '';
  served.process.stderr?.on('data', (text: string) => (said += text));
  const follow = async (text: string, line: RegExp): Promise<void> => {
    writeFileSync(file, text);
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(line);
  };
  await follow(yaml('Second'), /The world was loaded again/);
  expect(await companyOf(served, 'shop-key-1')).toBe('Second');
  await follow(`${yaml('Third')}ofers: []\n`, /world\.yaml:5: There is no "ofers"\. Did you mean "offers"\?/);
  expect(await companyOf(served, 'shop-key-1')).toBe('Second');
});

const mistaken = `companies:
  - name: Acme
apps:
  - name: Shop
    company: Acmee
    key: shop-key-1
subscribers:
  - addresses: ["+15555550100", no-address]
`;

test('a world with references to unknown names is a line for each, with the nearest name; nothing is started', async () => {
  const folder = project({ 'world.yaml': mistaken });
  const ended = await runIn(folder, ['serve', '--world', 'world.yaml', '--data', 'state', '--port', '0']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr.trimEnd().split('\n')).toEqual([
    'sandpiper: world.yaml:5: apps[0].company: There is no company "Acmee". Did you mean "Acme"? Available: Acme.',
    'sandpiper: world.yaml:8: subscribers[0].addresses[1]: "no-address" is neither a phone such as +15555550100 nor an email address.',
  ]);
  writeFileSync(join(folder, 'world.yaml'), yaml('Mended'));
  const served = await started('--world', join(folder, 'world.yaml'), '--data', join(folder, 'state'));
  expect(await companyOf(served, 'shop-key-1')).toBe('Mended');
});

test('a data folder with data keeps it, and says how the world is loaded', async () => {
  const folder = project({ 'world.yaml': yaml('Declared') });
  const data = join(folder, 'state');
  await stop(await started('--data', data));
  const served = await started('--data', data, '--world', join(folder, 'world.yaml'));
  expect(await companyOf(served, 'sandpiper-demo-key')).toBe('Sandpiper Supply Co.');
  expect((await stop(served)).stderr).toContain('"sandpiper reset" loads it');
  expect(readFileSync(join(data, 'state.json'), 'utf8')).not.toContain('Declared');
});

test.for(['saved.yaml', 'saved.json', 'saved.ts'])(
  'world save writes %s, which starts the same world',
  async (name) => {
    const first = await started('--memory');
    const at = ['--url', first.inspectorUrl, '--token', first.token];
    const asDemo = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
    await fetch(`${first.apiUrl}/webhooks`, {
      method: 'POST',
      headers: asDemo,
      body: '{"url":"http://127.0.0.1:9/","events":["sms.sent"]}',
    });
    await fetch(`${first.apiUrl}/coupons/coupon-pool/54102/create`, {
      method: 'POST',
      headers: asDemo,
      body: '{"codes":["T-1","T-2"]}',
    });
    await command('fault', 'GET /me', '--status', '503', '--times', '2', ...at);
    await command('compose', '+15555550100', 'Hello', ...at);
    await command('freeze', ...at);
    const folder = project({});
    const { code, stdout } = await runIn(folder, ['world', 'save', name, ...at]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^Written to ${name}, with its keys\\. (?:Left out: .*message|Nothing)`),
      ),
    });
    const again = await runIn(folder, ['world', 'save', name, ...at]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('add --overwrite') });

    const second = await started('--memory', '--world', join(folder, name));
    const worldOf = async ({ inspectorUrl, token }: Served): Promise<unknown> => {
      const answer = await fetch(`${inspectorUrl}/control/world`, { headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { world: unknown }).world;
    };
    expect(await worldOf(second)).toEqual(await worldOf(first));
  },
);

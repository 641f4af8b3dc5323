import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { toGlobalId } from '../../emulator/ids.ts';
import type { UndoableView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, addCodes, everything, upload } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-hostile-'));
let sandbox: Sandbox;
let good: Snapshot;
let before: ReturnType<typeof everything>;

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: join(folder, 'data') });
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await addCodes(sandbox, ['A']);
  await upload(sandbox, ['a']);
  await act(sandbox, 'POST', '/control/clock', { advance: '1m' });
  good = await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  before = everything(sandbox);
});

async function send(body: string, mode = 'replace'): Promise<string> {
  const answer = await fetch(`${sandbox.emulator.inspectorUrl}/control/import?mode=${mode}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.emulator.token}`, 'content-type': 'application/json' },
    body,
  });
  expect(answer.status, 'the import must be refused').toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  return ((await answer.json()) as { message: string }).message;
}

/** The good export with parts of it replaced. */
const changed = (change: object): string => JSON.stringify({ ...good, ...change });
const withRecords = (records: object): string => changed({ collections: { ...good.collections, ...records } });
const withFile = (file: object): string => changed({ files: [...good.files, file] });
const company = { id: 'Evil', name: 'Evil', domain: 'evil.example', contactEmail: 'evil@example.com' };
const pushed = (name: 'companies' | 'credentials' | 'users', record: object) => [
  ...(good.collections[name] ?? []),
  record,
];
const webhook = { id: 'w', companyId: demoCompany };

const attacks: readonly (readonly [string, () => string, string])[] = [
  ['a list', () => '[]', 'object'],
  ['text', () => '"snapshot"', 'object'],
  ['no JSON', () => '{"sandpiper":', 'JSON'],
  ['the state of another program', () => '{"format":1}', 'it has no "sandpiper": "snapshot"'],
  ['a newer format', () => changed({ format: 3 }), 'newer Sandpiper; this one reads up to format 2'],
  ['a format that is text', () => changed({ format: '1' }), '"format" is not a whole number'],
  ['format 0', () => changed({ format: 0 }), '"format" is not a whole number'],
  ['a sequence below zero', () => changed({ sequence: -1 }), '"sequence"'],
  ['a sequence above 2^52', () => changed({ sequence: 2 ** 52 + 1 }), '"sequence" is 4503599627370497, above'],
  ['the last sequence that can be counted', () => changed({ sequence: Number.MAX_SAFE_INTEGER }), '"sequence"'],
  [
    'an id of a number above 2^52',
    () => withRecords({ companies: pushed('companies', { ...company, id: toGlobalId('Company', 2 ** 53 - 1) }) }),
    'contains a number above 4503599627370496',
  ],
  ['no collections', () => changed({ collections: null }), '"collections" is not an object'],
  ['an unknown collection', () => withRecords({ passwords: [] }), 'no collection "passwords"'],
  ['a collection that is an object', () => withRecords({ users: {} }), '"users" is not a list'],
  ['a record that is a list', () => withRecords({ users: [[]] }), 'record 0 of "users" is not an object'],
  [
    'a record without an id',
    () => withRecords({ companies: pushed('companies', { ...company, id: undefined }) }),
    '"id"',
  ],
  ['an id that is a number', () => withRecords({ companies: pushed('companies', { ...company, id: 5 }) }), '"id"'],
  [
    'a field of the wrong type',
    () => withRecords({ companies: pushed('companies', { ...company, name: {} }) }),
    'its "name" is {}, not text',
  ],
  ['a missing field', () => withRecords({ webhooks: [webhook] }), 'its "appId" is missing'],
  [
    'an unknown field',
    () => withRecords({ companies: pushed('companies', { ...company, admin: true }) }),
    'a field "admin"',
  ],
  [
    'an unknown state',
    () => withRecords({ offers: (good.collections.offers ?? []).map((one) => ({ ...one, state: 'GONE' })) }),
    'ACTIVE or SYNCING or ERROR',
  ],
  ['two records with one id', () => withRecords({ companies: [company, company] }), 'two records with the id "Evil"'],
  ['a record of no company', () => withRecords({ companies: [] }), 'which is not in it'],
  [
    'a subscription of no person',
    () =>
      withRecords({ subscriptions: (good.collections.subscriptions ?? []).map((one) => ({ ...one, userId: 'no' })) }),
    'belongs to the person "no", which is not in it',
  ],
  ['a key of no app', () => withRecords({ apps: [] }), 'belongs to the app'],
  [
    '__proto__ as a key',
    () => changed({}).replace('"collections":{', '"collections":{"__proto__":{"polluted":true},'),
    '__proto__',
  ],
  ['__proto__ in a record', () => changed({}).replace('{"id":', '{"__proto__":{"polluted":true},"id":'), '__proto__'],
  [
    'an escaped __proto__',
    () => changed({}).replace('{"id":', '{"\\u005f_proto__":{"polluted":true},"id":'),
    '__proto__',
  ],
  [
    'constructor as a key',
    () => changed({}).replace('{"id":', '{"constructor":{"prototype":{"polluted":true}},"id":'),
    'constructor',
  ],
  [
    'a path as an id',
    () => withRecords({ companies: pushed('companies', { ...company, id: '../../evil' }) }),
    'cannot name a file',
  ],
  [
    'a file with a path',
    () => withFile({ kind: 'codes', id: '../../../evil', lines: [] }),
    'belongs to "../../../evil"',
  ],
  ['a file of dots', () => withFile({ kind: 'products', id: '..', lines: [] }), 'belongs to ".."'],
  ['a file of another kind', () => withFile({ kind: '../..', id: demoCompany, lines: [] }), 'has the kind "../.."'],
  [
    'a file of an inherited kind',
    () => withFile({ kind: 'toString', id: demoCompany, lines: [] }),
    'has the kind "toString"',
  ],
  ['a file without an owner', () => withFile({ kind: 'products', id: 'nobody', lines: [] }), 'not in "companies"'],
  ['the same file twice', () => withFile(good.files[0] ?? {}), 'two files'],
  ['a file without lines', () => changed({ files: [{ kind: 'products', id: demoCompany }] }), 'no "lines"'],
  [
    'lines that are numbers',
    () => changed({ files: [{ kind: 'products', id: demoCompany, lines: [1] }] }),
    'no "lines"',
  ],
  [
    'a line that is not a product',
    () => changed({ files: [{ kind: 'products', id: demoCompany, lines: ['{"id":"x"}'] }] }),
    'line 1 is not a product',
  ],
  [
    'a product twice',
    () =>
      changed({
        files: [{ kind: 'products', id: demoCompany, lines: Array(2).fill('{"id":"x","name":"n","variants":[]}') }],
      }),
    'repeats the product',
  ],
  ['files that are an object', () => changed({ files: {} }), '"files" is not a list'],
  ['deep nesting', () => changed({ files: [JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`)] }), '64'],
];

test.each(attacks)('%s is refused and changes nothing', async (_name, body, message) => {
  for (const mode of ['replace', 'merge']) expect(await send(body(), mode)).toContain(message);
  expect(everything(sandbox)).toEqual(before);
  expect((await act<{ undo: UndoableView[] }>(sandbox, 'GET', '/control/undo')).undo.map(({ code }) => code)).toEqual([
    'clock.advanced',
    'clock.frozen',
  ]);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(readdirSync(folder)).toEqual(['data']);
  expect(readdirSync(join(folder, 'data'))).not.toContain('evil');
});

test('an import over 256 MB is refused before it is read', async () => {
  const { port } = new URL(sandbox.emulator.inspectorUrl);
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/control/import',
      headers: {
        authorization: `Bearer ${sandbox.emulator.token}`,
        'content-type': 'application/json',
        'content-length': 256 * 1024 * 1024 + 1,
      },
    });
    sent.on('response', (answer) => resolve(answer.statusCode));
    sent.on('error', reject);
    sent.write('{');
  });
  expect(status).toBe(413);
  expect(everything(sandbox)).toEqual(before);
});

test('the export that they were all created from is accepted', async () => {
  await act(sandbox, 'POST', '/control/import', good);
  await act(sandbox, 'POST', '/control/undo');
  expect(everything(sandbox)).toEqual(before);
});

test('with the last number of the sequence nothing is made that could not be read again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-last-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startSandbox({ dataDir });
  const last = await act<Snapshot>(first, 'GET', '/control/export?secrets=true');
  await act(first, 'POST', '/control/import', { ...last, sequence: 2 ** 52 });
  const subscribe = { json: { user: { phone: '+15555550190' }, signUpSourceId: '100001' } };
  const refused = await first.call('POST', '/subscriptions', subscribe);
  expect([refused.status, refused.rule]).toEqual([500, 'store.unsaved']);
  expect((await refused.exchange()).refusal).toMatchObject({
    fix: { say: 'Reset, or import a state with smaller numbers, then send it again.' },
  });
  const exported = await act<Snapshot>(first, 'GET', '/control/export?secrets=true');
  expect(exported.sequence).toBe(2 ** 52);
  await act(first, 'POST', '/control/import', exported);
  await first.close();
  const notices: string[] = [];
  const second = await startSandbox({ dataDir, onNotice: (text) => notices.push(text) });
  expect(notices).toEqual([]);
  await second.reset();
  expect((await second.call('POST', '/subscriptions', subscribe)).status).toBe(202);
  await second.close();
});

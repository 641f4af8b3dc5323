import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../emulator/store/store.ts';
import { copyAsKilled, idsOf, newFolder, now, open, put } from './support.ts';

const company = { id: 'c1', name: 'Heron', domain: 'heron.example', contactEmail: 'a@heron.example' };
const app = { id: 'a1', companyId: 'c1', kind: 'private', name: 'Nest', scopes: [], redirectUris: [] };
const key = { id: 'k1', companyId: 'c1', appId: 'gone', kind: 'api-key', secret: 'heron-key', scopes: [] };

type State = { crc?: string; collections: { [name: string]: { [field: string]: unknown }[] } };

/** A folder with a company, and what `change` makes of its state.json: written again by a program, the checksum left out or not. */
async function edited(change: (state: State) => void): Promise<string> {
  const folder = newFolder();
  const first = await open(folder);
  first.transact(() => {
    first.companies.put(company);
    put(first, 'a');
  });
  await first.close();
  const path = join(folder, 'state.json');
  const state = JSON.parse(readFileSync(path, 'utf8')) as State;
  change(state);
  writeFileSync(path, JSON.stringify(state, null, 2));
  return folder;
}

test('a byte order mark before an edited state, as Notepad writes it, is not damage', async () => {
  const folder = await edited(() => {});
  const path = join(folder, 'state.json');
  writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replace('Heron', 'Egret')}`);
  const store = await open(folder);
  expect([store.companies.get('c1')?.name, idsOf(store)]).toEqual(['Egret', ['a']]);
  expect(store.notices).toEqual([expect.stringContaining('state.json has changed since Sandpiper wrote it')]);
  expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toEqual([]);
});

test('an edited state whose checksum was left out is told', async () => {
  const store = await open(await edited((state) => delete state.crc));
  expect(store.notices).toEqual([expect.stringContaining('state.json has changed since Sandpiper wrote it')]);
});

test.for([
  [
    'a field taken out, and the checksum',
    (state: State) => {
      delete state.crc;
      delete state.collections['companies']?.[0]?.['domain'];
    },
    'the company "c1" in its "companies" is not valid: its "domain" is missing',
  ],
  [
    'the company of an app taken out',
    ({ collections }: State) => {
      collections['apps'] = [{ ...app, clientId: null, clientSecret: null }];
      collections['companies'] = [];
    },
    'the app "a1" in its "apps" is not valid: it belongs to the company "c1", which the file does not have',
  ],
  [
    'the app of a key taken out',
    ({ collections }: State) => {
      collections['credentials'] = [{ ...key, createdAt: '2026-01-01T00:00:00Z', expiresAt: null, revokedAt: null }];
    },
    'the credential "k1" in its "credentials" is not valid: it belongs to the app "gone", which the file does not have',
  ],
] as const)(
  'an edited state with %s is refused in one sentence, and nothing is touched',
  async ([, change, misfit]) => {
    const folder = await edited(change);
    const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const before = files();
    await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
      name: 'StoreError',
      message: `${join(folder, 'state.json')} was edited, and ${misfit}. Correct the file.`,
    });
    expect(files()).toEqual(before);
  },
);

/** A folder as a kill leaves it: a company and `a` in state.json, and later changes in the journal. */
async function killed(later: (store: Awaited<ReturnType<typeof open>>) => void): Promise<string> {
  const store = await open(await edited(() => {}));
  await store.snapshot();
  put(store, 'saved');
  await store.snapshot();
  later(store);
  return copyAsKilled(store.dataDir ?? '');
}

function rename(folder: string, from: string, to: string): void {
  const path = join(folder, 'state.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

test('an edit after a kill that the journal replaces is told, with the records that it replaces', async () => {
  const folder = await killed((store) => {
    store.transact(() => store.companies.put({ ...company, name: 'Plover' }));
    put(store, 'new');
    store.transact(() => store.settings.delete('a'));
  });
  rename(folder, 'Heron', 'Egret');
  const store = await open(folder);
  expect([store.companies.get('c1')?.name, idsOf(store)]).toEqual(['Plover', ['saved', 'new']]);
  expect(store.notices).toEqual([
    expect.stringContaining('state.json has changed since Sandpiper wrote it'),
    'The journal had changes from after state.json was written, because Sandpiper did not stop by itself. They replace what was edited of: company "c1", setting "a". Edit it again after a stop.',
  ]);
});

test('an edit after a kill that the journal does not touch is kept, and nothing is said of the journal', async () => {
  const folder = await killed((store) => put(store, 'new'));
  rename(folder, 'Heron', 'Egret');
  const store = await open(folder);
  expect([store.companies.get('c1')?.name, idsOf(store)]).toEqual(['Egret', ['a', 'saved', 'new']]);
  expect(store.notices).toEqual([expect.stringContaining('state.json has changed since Sandpiper wrote it')]);
});

/** The same, but the state file is cut off, and what the previous copy has is replaced by what `change` makes of it. */
async function cutOff(change: (previous: string) => string): Promise<string> {
  const folder = await killed((store) => put(store, 'new'));
  writeFileSync(join(folder, 'state.json'), '{');
  const path = join(folder, 'state.previous.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  return folder;
}

test('an edited previous copy is told where it is opened because the state file cannot be read', async () => {
  const store = await open(await cutOff((previous) => previous.replace('Heron', 'Egret')));
  expect([store.companies.get('c1')?.name, idsOf(store)]).toEqual(['Egret', ['a', 'saved', 'new']]);
  expect(store.notices).toEqual([
    expect.stringContaining('state.json could not be read'),
    'state.previous.json has changed since Sandpiper wrote it (edited, or damaged); it was opened as it is.',
  ]);
});

test('an edited previous copy with a record that is not valid is refused like an edited state, and nothing is touched', async () => {
  const folder = await cutOff((previous) => previous.replace('"domain"', '"host"'));
  const before = readdirSync(folder);
  await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
    name: 'StoreError',
    message: `${join(folder, 'state.previous.json')} was edited, and the company "c1" in its "companies" is not valid: its "domain" is missing. Correct the file.`,
  });
  expect(readdirSync(folder)).toEqual(before);
});

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../emulator/store/store.ts';
import { command } from '../support/command.ts';
import { startSandbox } from '../support/sandbox.ts';
import { copyAsKilled, idsOf, journals, linesOf, newFolder, now, open, openAsKilled, put, stamp } from './support.ts';

const line = (n: number, id: string): string => `{"n":${n},"put":{"settings":[{"id":"${id}","value":1}]}}\n`;

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>, encoding: BufferEncoding = 'utf8'): string {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, encoding);
  return folder;
}

/** A folder with a and b in state.json, a in its previous copy, and c in the journal. */
async function savedTwice(): Promise<string> {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.snapshot();
  put(store, 'b');
  await store.snapshot();
  put(store, 'c');
  const killed = await openAsKilled(folder);
  const copy = killed.dataDir ?? '';
  await killed.close();
  return copy;
}

test('a new folder opens empty, without notices', async () => {
  const store = await open(newFolder());
  expect([store.notices, store.toDocument().sequence, store.settings.size]).toEqual([[], 0, 0]);
});

test('an incomplete last line is removed, not fatal, and reported', async () => {
  const folder = folderWith({ 'journal-1.ndjson': `${line(1, 'a')}${line(2, 'b')}{"n":3,"put":{"sett` });
  const store = await open(folder);
  expect(idsOf(store)).toEqual(['a', 'b']);
  expect(store.notices).toEqual([expect.stringMatching(/last line of journal-1\.ndjson was incomplete \(19 bytes/)]);
  expect(readFileSync(join(folder, 'journal-1.ndjson'), 'utf8')).toBe(`${line(1, 'a')}${line(2, 'b')}`);
  put(store, 'c');
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b', 'c']);
});

test('a line without its newline was never acknowledged, even if it is complete', async () => {
  const store = await open(folderWith({ 'journal-1.ndjson': line(1, 'a') + line(2, 'b').trimEnd() }));
  expect(idsOf(store)).toEqual(['a']);
});

test.for([
  'no JSON',
  'null',
  '[]',
  '{"put":{}}',
  '{"n":"3"}',
  '{"n":3,"put":{"wombats":[]}}',
  '{"n":3,"put":{"__proto__":[]}}',
  '{"n":3,"put":{"settings":5}}',
  '{"n":3,"put":{"settings":[null]}}',
  '{"n":3,"put":{"settings":[{"id":7}]}}',
  '{"n":3,"del":{"settings":[{}]}}',
  '{"n":3,"put":7}',
])('a journal with garbage (%s) is renamed, the lines before it are used, and that is reported', async (garbage) => {
  const first = `${line(1, 'a')}${garbage}\n${line(4, 'lost')}`;
  const folder = folderWith({ 'journal-1.ndjson': first, 'journal-2.ndjson': line(5, 'later') });
  const store = await open(folder);
  expect(idsOf(store)).toEqual(['a']);
  expect(store.notices).toEqual([
    `Line 2 of journal-1.ndjson cannot be read. The lines before it were used; that file and the later ones are kept as journal-*.corrupt-${stamp}.`,
  ]);
  expect(readFileSync(join(folder, `journal-1.corrupt-${stamp}`), 'utf8')).toBe(first);
  expect(readFileSync(join(folder, `journal-2.corrupt-${stamp}`), 'utf8')).toBe(line(5, 'later'));
  // The lines before the garbage are no longer in a journal, so they must be in the state.
  const killed = await openAsKilled(folder);
  expect([idsOf(killed), killed.notices]).toEqual([['a'], []]);
  put(store, 'b');
  await store.close();
  const again = await open(folder);
  expect([idsOf(again), again.notices]).toEqual([['a', 'b'], []]);
});

const broken: readonly (readonly [string, (whole: string) => string])[] = [
  ['truncated', (whole) => whole.slice(0, whole.length / 2)],
  ['empty', () => ''],
  ['of zeros', (whole) => '\0'.repeat(whole.length)],
  ['a list', () => '[]'],
  ['of another format', () => '{"format":"old","sequence":0,"collections":{}}'],
  ['without its journal', () => '{"format":1,"sequence":0,"collections":{}}'],
];

test.for(broken)(
  'a state file that is %s is renamed; the previous copy and the journals lose nothing',
  async ([, breakIt]) => {
    const folder = await savedTwice();
    const text = breakIt(readFileSync(join(folder, 'state.json'), 'utf8'));
    writeFileSync(join(folder, 'state.json'), text);
    const store = await open(folder);
    expect(idsOf(store)).toEqual(['a', 'b', 'c']);
    expect(store.notices).toEqual([
      expect.stringMatching(/^state\.json could not be read \(.+\); it is kept as state\.corrupt-.+\.json\. The last/),
    ]);
    expect(readFileSync(join(folder, `state.corrupt-${stamp}.json`), 'utf8')).toBe(text);
    put(store, 'd');
    await store.close();
    const again = await open(folder);
    expect([idsOf(again), again.notices]).toEqual([['a', 'b', 'c', 'd'], []]);
  },
);

test('a broken first state file, which has no previous copy, loses nothing either', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.close();
  writeFileSync(join(folder, 'state.json'), '{');
  const again = await open(folder);
  expect(idsOf(again)).toEqual(['a']);
  expect(again.notices).toEqual([
    expect.stringContaining('There is no good copy; the changes in the journals were opened'),
  ]);
});

test('a broken previous copy is renamed and does no harm', async () => {
  const folder = await savedTwice();
  writeFileSync(join(folder, 'state.previous.json'), '{');
  const store = await open(folder);
  expect(idsOf(store)).toEqual(['a', 'b', 'c']);
  expect(readFileSync(join(folder, `state.previous.corrupt-${stamp}.json`), 'utf8')).toBe('{');
  expect(store.notices).toEqual([expect.stringContaining('state.previous.json could not be read')]);
});

test('a state of a newer format is refused and nothing is touched', async () => {
  const folder = folderWith({
    'state.json': '{"format":3,"sequence":0,"journal":1,"collections":{}}',
    'journal-1.ndjson': '{"n":1,"torn',
  });
  const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const before = files();
  await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
    name: 'StoreError',
    code: 'newer-format',
    message: expect.stringMatching(/format 3, written by a newer Sandpiper.*Update Sandpiper.*--data\.$/),
  });
  expect(files()).toEqual(before);
});

test.for([
  ['data', 'file'],
  ['requests', 'file'],
  ['snapshots', 'file'],
  ['blobs', 'file'],
  ['state.json', 'folder'],
  ['journal-1.ndjson', 'folder'],
  ['control.json', 'folder'],
  ['control-token', 'folder'],
  ['activities.ndjson', 'folder'],
  ['lock', 'folder'],
  ['requests/5.log', 'folder'],
] as const)('an unusable folder (%s is a %s) gives one line that says what to do', async ([name, kind]) => {
  const folder = newFolder();
  const wrong = name === 'data' ? folder : join(folder, name);
  if (kind === 'folder') mkdirSync(wrong, { recursive: true });
  else {
    mkdirSync(dirname(wrong), { recursive: true });
    writeFileSync(wrong, '');
  }
  await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
    name: 'StoreError',
    code: 'unwritable',
    message: expect.stringMatching(
      /^The data folder .* (?:cannot be opened \(.*\)|is a file, not a folder)\..*--data.*--memory\.$/,
    ),
  });
  const says = name === 'data' ? 'is a file, not a folder' : `cannot be opened: "${name}" in it is a ${kind}, not a `;
  const doctor = await command('doctor', '--data', folder, '--port', '0', '--inspector-port', '0');
  expect([doctor.code, doctor.stderr]).toEqual([1, '']);
  expect(doctor.stdout).toContain(`PROBLEM data: ${folder} ${says}`);
  expect((await command('clock', '--data', folder)).stderr).toMatch(/^sandpiper: No Sandpiper serves/);
  if (name !== 'data') expect(readdirSync(folder)).toEqual([name.split('/')[0]]);
});

test.for([
  ['below a file', (file: string) => join(file, 'data')],
  ['with a name that is too long', (file: string) => `${file}-${'a'.repeat(300)}`],
] as const)('where no folder can be made, as %s, the fix is another one', async ([, toFolder]) => {
  const file = join(folderWith({}), 'notes.txt');
  writeFileSync(file, '');
  await expect(openStore({ dataDir: toFolder(file), now })).rejects.toMatchObject({
    code: 'unwritable',
    message: expect.stringMatching(/\)\. Choose another one with --data, or use --memory\.$/),
  });
});

test.for(['journal-1.ndjson', 'state.json', 'activities.ndjson', 'requests', 'requests/1.log', 'blobs'])(
  'a link in the data folder (%s) is refused, and what it leads to is untouched',
  async (name) => {
    const folder = folderWith({});
    const elsewhere = join(folder, '..', 'elsewhere');
    if (/^[a-z]+$/.test(name)) mkdirSync(elsewhere);
    else writeFileSync(elsewhere, 'precious');
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(elsewhere, join(folder, name));
    await expect(startSandbox({ dataDir: folder })).rejects.toThrow(`"${name}" in it is a link, not a `);
    if (statSync(elsewhere).isDirectory()) expect(readdirSync(elsewhere)).toEqual([]);
    else expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  },
);

test('files and folders that others could read are closed to them when they are opened', async () => {
  const folder = await savedTwice();
  writeFileSync(join(folder, 'notes.txt'), 'of the user');
  mkdirSync(join(folder, 'requests'));
  const names = ['state.json', 'state.previous.json', 'journal-3.ndjson', 'notes.txt'];
  for (const name of names) chmodSync(join(folder, name), 0o644);
  for (const path of [folder, join(folder, 'requests')]) chmodSync(path, 0o755);
  const { notices } = await open(folder);
  expect(notices).toEqual([]);
  expect(names.map((name) => modeOf(join(folder, name)))).toEqual([0o600, 0o600, 0o600, 0o644]);
  // The folder may have files of others, so it stays as its user made it.
  expect([modeOf(folder), modeOf(join(folder, 'requests'))]).toEqual([0o755, 0o700]);
});

test('a data folder in which every user can write is told, with what to do', async () => {
  const folder = folderWith({});
  chmodSync(folder, 0o777);
  expect((await open(folder)).notices).toEqual([
    `Every user of this machine can write in the data folder ${folder}, and so replace its files. Close it with: chmod o-w "${folder}"`,
  ]);
  expect(modeOf(folder)).toBe(0o777);
});

test('incomplete files of a kill are removed', async () => {
  const folder = folderWith({
    'state.json.tmp': '{"format":1',
    'state.previous.json.tmp': '{',
    'state.old.json.tmp': '{}',
    'lock.1-2': '1',
  });
  const blobs = join(folder, 'blobs', 'uploads');
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, '.part-1'), 'half');
  writeFileSync(join(blobs, 'whole'), 'whole');
  await open(folder);
  expect(readdirSync(folder).sort()).toEqual(['blobs', 'lock']);
  expect(readdirSync(blobs)).toEqual(['whole']);
});

test('a state edited by hand while stopped is what opens', async () => {
  const folder = await savedTwice();
  const path = join(folder, 'state.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"value":"b"', '"value":"edited"'));
  const store = await open(folder);
  expect(store.settings.get('b')?.value).toBe('edited');
  expect(store.notices).toEqual([expect.stringMatching(/^state\.json has changed since Sandpiper wrote it/)]);
  put(store, 'saved-anew');
  await store.close();
  expect((await open(folder)).notices).toEqual([]);
});

test.for([
  [',"domain":"heron.example"', '', 'its "domain" is missing'],
  ['"name":"Heron"', '"name":5', 'its "name" is 5, not text'],
] as const)(
  'a field that a hand edit broke (%s) is one sentence, and nothing is touched',
  async ([from, to, misfit]) => {
    const folder = newFolder();
    const first = await open(folder);
    first.transact(() =>
      first.companies.put({ id: 'c1', name: 'Heron', domain: 'heron.example', contactEmail: 'a@heron.example' }),
    );
    await first.close();
    const path = join(folder, 'state.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const before = files();
    await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
      name: 'StoreError',
      message: `${path} was edited, and the company "c1" in its "companies" is not valid: ${misfit}. Correct the file.`,
    });
    expect(files()).toEqual(before);
  },
);

test('a missing journal is reported if a later one exists', async () => {
  const folder = newFolder();
  const first = await open(folder);
  put(first, 'a');
  await first.snapshot();
  put(first, 'b');
  const second = await openAsKilled(folder);
  put(second, 'c');
  const third = await openAsKilled(second.dataDir ?? '');
  expect(third.notices).toEqual([]);
  await second.close();
  const copy = third.dataDir ?? '';
  rmSync(join(copy, 'journal-2.ndjson'));
  const opened = await openAsKilled(copy);
  expect(opened.notices).toEqual([
    'journal-2.ndjson is missing, although journal-3.ndjson, which follows it, exists. The changes in between are lost. If you have the file, put it back and start again.',
  ]);
});

test.for([1, 2])('a missing journal-%s.ndjson is reported before there is a state.json, too', async (missing) => {
  const folder = newFolder();
  put(await open(folder), 'a');
  const second = await openAsKilled(folder);
  put(second, 'b');
  const third = await openAsKilled(second.dataDir ?? '');
  put(third, 'c');
  const copy = copyAsKilled(third.dataDir ?? '');
  rmSync(join(copy, `journal-${missing}.ndjson`));
  const opened = await open(copy);
  expect(opened.notices).toEqual([
    expect.stringMatching(`^journal-${missing}\\.ndjson is missing, although journal-${missing + 1}\\.ndjson, which`),
  ]);
});

test('a journal that was emptied is reported if a later one exists', async () => {
  const folder = folderWith({
    'journal-1.ndjson': line(1, 'a'),
    'journal-2.ndjson': '',
    'journal-3.ndjson': line(3, 'c'),
  });
  const store = await open(folder);
  expect([idsOf(store), store.notices]).toEqual([
    ['a', 'c'],
    [
      'journal-2.ndjson is empty, although journal-3.ndjson, which follows it, exists. The changes in between are lost. If you have the file, put it back and start again.',
    ],
  ]);
});

test('a journal that was cut off in a line is reported as damage if a later one exists', async () => {
  const folder = folderWith({
    'journal-1.ndjson': `${line(1, 'a')}{"n":2,"put":{"sett`,
    'journal-2.ndjson': line(3, 'c'),
  });
  const store = await open(folder);
  expect([idsOf(store), store.notices]).toEqual([
    ['a', 'c'],
    [
      'The last line of journal-1.ndjson was incomplete (19 bytes), although journal-2.ndjson, which follows it, exists; it was removed. If the file was cut off, the changes after that line are lost.',
    ],
  ]);
});

test.for([
  ['lost line 2', [0, 2, 3], 1, 2],
  ['lost lines 2 and 3', [0, 3], 1, 2],
  ['has a line twice', [0, 1, 1, 2, 3], 2, 3],
  ['has lines in another order', [0, 2, 1, 3], 1, 2],
] as const)('a journal that %s opens up to there, and that is reported', async ([, kept, used, at]) => {
  const folder = newFolder();
  put(await open(folder), 'a', 'b', 'c', 'd');
  const lines = linesOf(folder, 'journal-1.ndjson');
  const text = kept.map((index) => `${lines[index]}\n`).join('');
  const damaged = folderWith({ 'journal-1.ndjson': text });
  const store = await open(damaged);
  expect(idsOf(store)).toEqual(['a', 'b', 'c', 'd'].slice(0, used));
  expect(store.notices).toEqual([
    `Before line ${at} of journal-1.ndjson, lines are missing or in another order. The lines before it were used; that file and the later ones are kept as journal-*.corrupt-${stamp}.`,
  ]);
  expect(readFileSync(join(damaged, `journal-1.corrupt-${stamp}`), 'utf8')).toBe(text);
  // The next lines continue those that were used.
  put(store, 'e');
  const again = await openAsKilled(damaged);
  expect([idsOf(again), again.notices]).toEqual([[...['a', 'b', 'c', 'd'].slice(0, used), 'e'], []]);
});

test('lines that are missing at the end of a journal, or at the start of the next one, are reported', async () => {
  const folder = newFolder();
  put(await open(folder), 'a', 'b');
  const second = await openAsKilled(folder);
  put(second, 'c', 'd');
  const killed = second.dataDir ?? '';
  for (const [name, kept] of [
    ['journal-1.ndjson', 0],
    ['journal-2.ndjson', 1],
  ] as const) {
    const copy = copyAsKilled(killed);
    writeFileSync(join(copy, name), `${linesOf(copy, name)[kept]}\n`);
    const opened = await open(copy);
    expect(opened.notices).toEqual([
      'The first lines of journal-2.ndjson, or the last ones of the file before it, are missing. The changes in them are lost. If you have the files, put them back and start again.',
    ]);
    expect(idsOf(opened)).toEqual(kept === 0 ? ['a', 'c', 'd'] : ['a', 'b', 'd']);
  }
  const whole = await openAsKilled(killed);
  expect([idsOf(whole), whole.notices]).toEqual([['a', 'b', 'c', 'd'], []]);
});

test('journals whose lines have no numbers open without a notice, and lines with numbers may follow', async () => {
  const folder = folderWith({ 'journal-1.ndjson': `${line(1, 'a')}${line(2, 'b')}` });
  put(await open(folder), 'c', 'd');
  const again = await openAsKilled(folder);
  put(again, 'e');
  const last = await openAsKilled(again.dataDir ?? '');
  expect([idsOf(last), last.notices]).toEqual([['a', 'b', 'c', 'd', 'e'], []]);
});

test.for([
  ['empty', ''],
  ['with half of its first line', '{"n":1,"put":{"sett'],
  ['with garbage in its first line', 'garbage\n'],
])('a last journal that is %s leaves none that a later start takes for damage', async ([, text = '']) => {
  const folder = folderWith({ 'journal-1.ndjson': line(1, 'a'), 'journal-2.ndjson': text });
  const first = await open(folder);
  put(first, 'b');
  const killed = await openAsKilled(folder);
  put(killed, 'c');
  const again = await openAsKilled(killed.dataDir ?? '');
  expect([idsOf(again), again.notices]).toEqual([['a', 'b', 'c'], []]);
});

test('starts and saves without a change skip no journal number', async () => {
  const folder = newFolder();
  const first = await open(folder);
  put(first, 'a');
  await first.close();
  await (await open(folder)).close();
  const second = await open(folder);
  await second.snapshot();
  await second.snapshot();
  put(second, 'b');
  const killed = await openAsKilled(folder);
  expect([idsOf(killed), killed.notices]).toEqual([['a', 'b'], []]);
});

test('any bit that flips in a journal is noticed, and nothing wrong is opened', async () => {
  const folder = newFolder();
  const first = await open(folder);
  put(first, 'a', 'b');
  const name = 'journal-1.ndjson';
  const whole = readFileSync(join(folder, name));
  const start = whole.indexOf(0x0a) + 1;
  for (let at = start; at < whole.length - 1; at += 1) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
    const store = await open(folderWith({ [name]: flipped.toString('latin1') }, 'latin1'));
    expect([idsOf(store), store.notices.length], `byte ${at}`).toEqual([['a'], 1]);
  }
});

test('a flipped bit in the state file is reported, if the file can still be read', async () => {
  const folder = await savedTwice();
  const path = join(folder, 'state.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"value":"a"', '"value":"c"'));
  expect((await open(folder)).notices).toEqual([expect.stringContaining('state.json has changed since')]);
});

test('a state and a journal of a version without checksums open without a notice', async () => {
  const folder = folderWith({
    'state.json': `{"format":2,"sequence":1,"journal":3,"collections":{"settings":[{"id":"a","value":1}]}}`,
    'journal-4.ndjson': line(2, 'b'),
  });
  const store = await open(folder);
  expect([idsOf(store), store.notices]).toEqual([['a', 'b'], []]);
});

test('journals continue after the highest number, and old lines stay as they are', async () => {
  const folder = folderWith({ 'journal-7.ndjson': line(1, 'a') });
  const store = await open(folder);
  put(store, 'b');
  expect(journals(folder)).toEqual(['journal-7.ndjson', 'journal-8.ndjson']);
  expect(linesOf(folder, 'journal-7.ndjson')).toHaveLength(1);
  appendFileSync(join(folder, 'journal-8.ndjson'), 'torn');
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b']);
});

import { expect, onTestFinished, test } from 'vitest';
import { step } from '../../emulator/machine/table.ts';
import { definitions } from '../../emulator/records/definitions.ts';
import { createRecordCheck } from '../../emulator/records/misfit.ts';
import type { StoredRecord } from '../../emulator/records.ts';
import { seedDemo, demoCompany } from '../../emulator/declared-world/demo.ts';
import { createEraser, toWords } from '../../emulator/features/privacy/erase.ts';
import { createUsers, type Users } from '../../emulator/people/users.ts';
import { openStore, type Store } from '../../emulator/store/store.ts';
import { createMask } from '../../emulator/control/requests/mask.ts';
import { searchRecords, toMatcher } from '../../emulator/control/record-search.ts';
import { withMaskedSecrets } from '../../emulator/world/secrets.ts';
import { knownAt } from '../support/people.ts';
import { at, cardTable, give, loyaltyCards, madeUp, toCard } from './made-up.ts';

async function open(): Promise<{ store: Store; users: Users }> {
  const store = await openStore({ dataDir: null, now: () => 0, definitions: { ...definitions, loyaltyCards } });
  onTestFinished(() => store.close());
  const users = createUsers(store);
  seedDemo(store, users, Date.parse(at));
  return { store, users };
}

const cards = (store: Store): readonly StoredRecord[] => [...store.collection(madeUp).all()];

test('the table of a new kind of record has its states and its name', async () => {
  const { store } = await open();
  const card = give(store, 'u', 'L-1');
  expect(cardTable).toMatchObject({
    kind: 'loyalty card',
    states: ['ordered', 'sent', 'lost'],
    events: ['send', 'lose'],
  });
  expect(() => step(cardTable, card, 'lose', { by: 'hand', at })).toThrow(
    'A loyalty card in state "ordered" takes no "lose"',
  );
});

test('a deletion request deletes a new kind of record with the person, counts it, and keeps those of others', async () => {
  const { store, users } = await open();
  const [ada] = users.find(demoCompany, { email: 'ada@example.com' });
  const [grace] = users.find(demoCompany, { email: 'grace@example.com' });
  give(store, ada?.id ?? '', 'L-1');
  const kept = give(store, grace?.id ?? '', 'L-2');
  const request = { companyId: demoCompany, subjectPhone: null, subjectEmail: 'ada@example.com', clientUserId: null };
  const { result } = store.transact(() => createEraser(store, users)(request as never));
  expect(toWords(store, result)).toContain('1 loyalty card');
  expect(cards(store)).toEqual([kept]);
});

test('when two people are merged, a new kind of record moves to the remaining person, with its id there', async () => {
  const { store, users } = await open();
  const [ada] = users.find(demoCompany, { phone: '+15555550100' });
  const [grace] = users.find(demoCompany, { email: 'grace@example.com' });
  const own = give(store, ada?.id ?? '', 'L-1');
  give(store, grace?.id ?? '', 'L-1');
  const other = give(store, grace?.id ?? '', 'L-2');
  store.transact(() =>
    users.findOrMake(demoCompany, { phone: '+15555550100', email: 'grace@example.com' }, knownAt(at)),
  );
  expect(cards(store)).toEqual([own, { ...other, id: `${ada?.id}:L-2`, userId: ada?.id }]);
});

test('the secret of a new kind of record is masked in exports and in captured text', async () => {
  const { store, users } = await open();
  const [ada] = users.find(demoCompany, { email: 'ada@example.com' });
  give(store, ada?.id ?? '', 'L-1');
  const { collections } = store.toDocument();
  expect((await withMaskedSecrets(store.definitions, collections))[madeUp]).toMatchObject([
    { number: 'L-1', pin: '(masked)' },
  ]);
  expect((await createMask(store)).text('the pin is pin-of-L-1')).not.toContain('pin-of-L-1');
});

test('the search finds a new kind of record', async () => {
  const { store, users } = await open();
  const [ada] = users.find(demoCompany, { email: 'ada@example.com' });
  const { id } = give(store, ada?.id ?? '', 'L-77');
  expect(await searchRecords(store, demoCompany, toMatcher('L-77')!)).toEqual([
    { kind: 'loyalty-cards', id, title: 'Loyalty card L-77', about: 'a card' },
  ]);
});

test('records from a file are checked against the shape of a new kind of record', async () => {
  const check = await createRecordCheck({ loyaltyCards });
  const card = toCard('u', 'L-1');
  expect(check('loyaltyCards', card)).toBe(null);
  expect(check('loyaltyCards', { ...card, issuedAt: 'yesterday' })).toBe(
    'its "issuedAt" is "yesterday", not an ISO 8601 time',
  );
  expect(check('loyaltyCards', { ...card, points: 5 })).toContain('a field "points"');
});

test('a new kind of record survives a restart', async () => {
  const { newFolder, openAsKilled } = await import('../store/support.ts');
  const dataDir = newFolder();
  const known = { ...definitions, loyaltyCards };
  const store = await openStore({ dataDir, now: () => 0, definitions: known });
  onTestFinished(() => store.close());
  const card = give(store, 'u', 'L-1');
  expect(cards(await openAsKilled(dataDir, { definitions: known }))).toEqual([card]);
});

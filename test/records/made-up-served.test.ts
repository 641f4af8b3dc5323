import { afterEach, expect, test, vi } from 'vitest';
import type * as Definitions from '../../emulator/records/definitions.ts';
import type * as Lifecycles from '../../emulator/lifecycles.ts';
import type { ClockView, MachinesView, TimelineMomentView, TimelineView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { step } from '../../emulator/machine/table.ts';
import { toIso } from '../../emulator/time/clock.ts';
import { useSandbox } from '../support/sandbox.ts';
import { cardTable, give, madeUp, type LoyaltyCard } from './made-up.ts';

// A whole emulator that has one more kind of record: its definition, and the row of its states.
vi.mock('../../emulator/records/definitions.ts', async (original) => {
  const { definitions } = await original<typeof Definitions>();
  const { loyaltyCards } = await import('./made-up.ts');
  return { definitions: { ...definitions, loyaltyCards } };
});
vi.mock('../../emulator/lifecycles.ts', async (original) => {
  const real = await original<typeof Lifecycles>();
  const { cardTable: table } = await import('./made-up.ts');
  const describe = (id: string, event: string): string => `Card ${id.split(':').at(-1)}: ${event}`;
  return { ...real, lifecycleKinds: { ...real.lifecycleKinds, loyaltyCards: { table, describe } } };
});

const sandbox = useSandbox({ pace: 'manual' });
afterEach(() => sandbox.reset());

function giveToAda(number: string): LoyaltyCard {
  const { store, users } = sandbox.emulator.deps;
  const [ada] = users.find(demoCompany, { email: 'ada@example.com' });
  return give(store, ada?.id ?? '', number);
}

/** Lets the clock move a card. Time is frozen meanwhile, so that only an advance does it, however long the test takes. */
function moveAt(card: LoyaltyCard, ms: number, event: 'send' | 'lose'): void {
  const { clock, store } = sandbox.emulator.deps;
  clock.freeze(true);
  const due = clock.now() + ms;
  clock.at(`loyalty card:${card.id}:${event}`, due, 'a card', () => {
    const cards = store.collection(madeUp);
    const moved = step(cardTable, cards.get(card.id) as LoyaltyCard, event, { by: 'hand', at: toIso(clock.now()) });
    const history = moved.history.map((one) => (one.event === event ? { ...one, by: 'clock' as const } : one));
    store.transact(() => cards.put({ ...moved, history } as LoyaltyCard));
  });
}

const read = async <T>(path: string): Promise<T> => (await sandbox.control('GET', path)).body as T;
const timeline = (query: string): Promise<TimelineView> => read(`/control/timeline?${query}`);

test('a new kind of record is listed, shown with its state and without its secret, and counted', async () => {
  const card = giveToAda('L-1');
  const { kinds } = await read<{ kinds: readonly object[] }>('/control/record-kinds');
  const one = { kind: 'loyalty-cards', one: 'loyalty card', many: 'loyalty cards', shownAt: '/loyalty/{id}' };
  const about = { aboutPeople: true, open: ['ordered', 'sent'] };
  expect(kinds).toContainEqual({ ...one, ...about });
  expect(await read('/control/records/loyalty-cards')).toMatchObject({ total: 1, records: [{ pin: '…-L-1' }] });
  expect(await read(`/control/records/loyalty-cards/${card.id}`)).toMatchObject({
    state: 'ordered',
    history: [{ to: 'ordered' }],
    record: { number: 'L-1', pin: '…-L-1' },
  });
  const { machines } = await read<MachinesView>('/control/machines');
  expect(machines.find(({ kind }) => kind === 'loyalty-cards')).toMatchObject({
    initial: 'ordered',
    states: ['ordered', 'sent', 'lost'],
  });
  expect(await read(`/control/companies/${demoCompany}/summary`)).toMatchObject({ records: { 'loyalty-cards': 1 } });
});

test('what is due for a new kind of record, its moves and their sum are told in its words, with a link', async () => {
  const [first, second] = [giveToAda('L-1'), giveToAda('L-2')];
  moveAt(first, 1_000, 'send');
  moveAt(first, 2_000, 'lose');
  moveAt(second, 1_000, 'send');
  const { upcoming } = await read<ClockView>('/control/clock');
  expect(upcoming).toContainEqual(
    expect.objectContaining({ says: 'Card L-2: send', kind: 'loyalty-cards', id: second.id }),
  );

  await sandbox.control('POST', '/control/clock', { advance: '10s' });
  const [move] = (await timeline('kind=clock')).groups;
  expect(move?.move?.result.map(({ says }) => says)).toEqual(['1 loyalty card is lost', '1 loyalty card is sent']);
  const { groups } = await timeline(`section=${move?.id}&kind=change`);
  const lost = groups.find(({ says }) => says === 'Loyalty card L-1 went from sent to lost');
  expect(lost).toMatchObject({
    tone: 'warning',
    kinds: ['change'],
    links: [{ text: 'Loyalty card L-1', kind: 'loyalty-cards', id: first.id }],
  });
  expect(groups.map(({ says }) => says)).toContain('Loyalty card L-2 went from ordered to sent');

  const then = toIso(Date.parse(move?.move?.from ?? '') + 1_500);
  const moment = await read<TimelineMomentView>(`/control/timeline/moment?at=${then}`);
  expect(moment.counts.filter(({ kind }) => kind === 'loyalty-cards')).toEqual([
    { says: 'Loyalty cards', kind: 'loyalty-cards', was: 2, is: 2 },
    { says: 'Loyalty cards under way', kind: 'loyalty-cards', was: 2, is: 1 },
  ]);
});

test('a new kind of record is told with the person to whom it belongs', async () => {
  const card = giveToAda('L-1');
  moveAt(card, 1_000, 'send');
  await sandbox.control('POST', '/control/clock', { advance: '10s' });
  const says = async (person: string): Promise<readonly string[]> =>
    (await timeline(`kind=change&person=${person}`)).groups.map((group) => group.says);
  expect(await says('ada@example.com')).toEqual([
    'Loyalty card L-1 went from ordered to sent',
    'Loyalty card L-1 is ordered',
  ]);
  expect(await says('grace@example.com')).toEqual([]);
});

test('a deletion request deletes a new kind of record with the person, and says so', async () => {
  giveToAda('L-1');
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'ada@example.com' } });
  const [request] = [...sandbox.emulator.deps.store.privacyRequests.all()];
  for (const event of ['start', 'finish'])
    await sandbox.control('POST', `/control/records/privacy-requests/${request?.id}/moves`, { event });
  expect(await read('/control/records/loyalty-cards')).toMatchObject({ total: 0 });
  const { history } = await read<{ history: readonly { why: string }[] }>(
    `/control/records/privacy-requests/${request?.id}`,
  );
  expect(history.at(-1)?.why).toContain('1 loyalty card');
});

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createCodes } from '../../emulator/features/offers/codes.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { toGlobalId } from '../../emulator/ids.ts';
import { freshFolder } from '../catalog/support.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const range = { distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' };
const add = (offer: string, json: object, key?: string) =>
  sandbox.call('POST', `/coupons/coupon-pool/${offer}/create`, { json, ...(key ? { key } : {}) });
const offerOf = async (id: string) =>
  (await sandbox.control('GET', `/control/records/offers/${id}`)).body as {
    state: string;
    record: { codeCount: number };
    history: { event: string; by: string }[];
    moves: { event: string; open: boolean; why: string }[];
  };
const uploads = async () =>
  (
    (await sandbox.control('GET', '/control/records/offer-uploads')).body as {
      records: { codeCount: number; duplicateCount: number }[];
    }
  ).records;

test('codes are accepted with 202 and an empty body, and the offer returns to ACTIVE after SYNCING', async () => {
  const answer = await add('54100', { codes: ['A', 'B'], ...range });
  expect([answer.status, answer.text]).toEqual([202, '']);
  await sandbox.emulator.deps.clock.advance(0);
  const { record, state, history } = await offerOf('54100');
  expect(record.codeCount).toBe(2);
  expect(state).toBe('ACTIVE');
  expect(history.map(({ event, by }) => [event, by])).toEqual([
    ['created', 'hand'],
    ['codesReceived', 'call'],
    ['synced', 'clock'],
  ]);
});

test('200,000 codes are accepted at once, even if each has 256 characters, the most that one may have', async () => {
  const codes = Array.from({ length: 200_000 }, (_code, at) => String(at).padEnd(256, '-'));
  expect((await add('54100', { codes, ...range })).status).toBe(202);
  expect((await offerOf('54100')).record.codeCount).toBe(200_000);
  for (const character of ['-', '🐦']) {
    expect((await add('54100', { codes: [character.repeat(256)], ...range })).status).toBe(202);
    expect((await add('54100', { codes: [character.repeat(257)], ...range })).rule).toBe('offers.code-text');
  }
});

test('an empty list of codes is accepted: the schema says 0 to 200,000', async () => {
  expect((await add('54100', { codes: [], ...range })).status).toBe(202);
});

test('repeated codes, in one request or in an earlier one, are counted once and noted', async () => {
  await add('54100', { codes: ['A', 'A', 'B'], ...range });
  const again = await add('54100', { codes: ['B', 'C'], ...range });
  expect(again.status).toBe(202);
  expect((await again.exchange()).notes).toEqual(['1 code was repeated or uploaded before, and left out.']);
  expect(await uploads()).toMatchObject([
    { codeCount: 2, duplicateCount: 1 },
    { codeCount: 1, duplicateCount: 1 },
  ]);
  expect((await offerOf('54100')).record.codeCount).toBe(3);
});

test('a file of codes that a kill left is never used for a later upload', async () => {
  const { store } = sandbox.emulator.deps;
  const next = toGlobalId('CouponUpload', store.toDocument().sequence + 1);
  store.blobs.append('codes', `${next}.json`, '["half');
  await add('54100', { codes: ['A', 'B'], ...range });
  // Another offer, so that the codes of the first are read from their files again.
  await add('54102', { codes: ['A'] });
  await add('54100', { codes: ['A', 'C'], ...range });
  expect((await uploads()).map(({ codeCount }) => codeCount)).toEqual([2, 1, 1]);
});

test('codes of a reverted upload count as new when they are sent again', async () => {
  const { store } = sandbox.emulator.deps;
  const codes = createCodes({ store });
  const upload = async (id: string, sent: readonly string[], isBroken: boolean): Promise<number> => {
    let added = 0;
    await codes.add('54100', sent, (codeCount, keep) => {
      const work = () => {
        keep(id);
        const put = store.offerUploads.put({
          id,
          companyId: demoCompany,
          offerId: '54100',
          distributionStart: null,
          distributionStop: null,
          codeCount,
          duplicateCount: 0,
          receivedAt: '2026-12-01T00:00:00.000Z',
        });
        if (isBroken) throw new Error('put back');
        return put;
      };
      added = codeCount;
      return store.transact(work).result;
    });
    return added;
  };
  await expect(upload('one', ['A', 'B'], true)).rejects.toThrow('put back');
  expect(await upload('two', ['B', 'C', 'C'], false)).toBe(2);
  expect(codes.isTaken('one')).toBe(true);
});

test('two uploads to an offer at the same time count a code that both have once', async () => {
  const sent = Array.from({ length: 30_000 }, (_code, at) => `CODE-${at}`);
  await Promise.all([add('54100', { codes: sent, ...range }), add('54100', { codes: sent, ...range })]);
  expect((await uploads()).map(({ codeCount }) => codeCount).sort()).toEqual([0, 30_000]);
  expect((await offerOf('54100')).record.codeCount).toBe(30_000);
});

test('while a code is compared with the 300,000 that its offer has, other requests are answered', async () => {
  const { store } = sandbox.emulator.deps;
  const [known] = [...store.offers.all()].filter(({ id }) => id === '54100');
  if (!known) throw new Error('The demo world has no offer 54100.');
  for (let n = 0; n < 3; n++) {
    const id = `many-${n}`;
    const codes = Array.from({ length: 100_000 }, (_code, at) => `CODE-${n}-${at}`);
    store.blobs.append('codes', `${id}.json`, JSON.stringify(codes));
    const { companyId } = known;
    store.transact(() =>
      store.offerUploads.put({
        id,
        companyId,
        offerId: '54100',
        ...range,
        codeCount: codes.length,
        duplicateCount: 0,
        receivedAt: range.distributionStart,
      }),
    );
  }
  const meanwhile = async (work: Promise<{ readonly status: number }>): Promise<number> => {
    const state = { isDone: false };
    const done = work.finally(() => (state.isDone = true));
    let answered = 0;
    while (!state.isDone) {
      await sandbox.call('GET', '/me');
      if (!state.isDone) answered += 1;
    }
    expect((await done).status).toBeLessThan(300);
    return answered;
  };
  expect(await meanwhile(add('54100', { codes: ['CODE-2-99999', 'NEW'], ...range }))).toBeGreaterThan(3);
  expect((await uploads()).at(-1)).toMatchObject({ codeCount: 1, duplicateCount: 1 });
  expect(await meanwhile(sandbox.control('GET', '/control/offers/54100/codes?q=new'))).toBeGreaterThan(3);
});

test('codes are compared with those of earlier uploads even after a restart, whatever they contain', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const codes = [',', '"', '","', '\\', 'a\nb', '☂', '__proto__'];
  const first = await startSandbox({ dataDir });
  const path = '/coupons/coupon-pool/54100/create';
  await first.call('POST', path, { json: { codes, ...range } });
  await first.close();
  const second = await startSandbox({ dataDir });
  try {
    await second.call('POST', path, { json: { codes: [...codes, 'new'], ...range } });
    expect([...second.emulator.deps.store.offerUploads.all()]).toMatchObject([
      { codeCount: 7, duplicateCount: 0 },
      { codeCount: 1, duplicateCount: 7 },
    ]);
  } finally {
    await second.close();
  }
});

test('codes wait in SYNCING for the delay of their offer, longer if more arrive meanwhile', async () => {
  const slow = await startSandbox({ pace: 'realistic' });
  try {
    const { clock, store } = slow.emulator.deps;
    clock.freeze(true);
    const state = async (ms: number) => {
      await clock.advance(ms);
      return store.offers.get('54100')?.state;
    };
    const send = (code: string) =>
      slow.call('POST', '/coupons/coupon-pool/54100/create', { json: { codes: [code], ...range } });
    await send('A');
    expect(await state(4_999)).toBe('SYNCING');
    await send('B');
    expect(await state(4_999)).toBe('SYNCING');
    expect(await state(1)).toBe('ACTIVE');
  } finally {
    await slow.close();
  }
});

test('if the window of an offer was changed after an upload, the earlier upload decides', async () => {
  const { store } = sandbox.emulator.deps;
  await add('54102', { codes: ['A'] });
  const offer = store.offers.get('54102');
  store.transact(() => offer && store.offers.put({ ...offer, window: 'custom-time-period' }));
  expect((await add('54102', { codes: ['B'], ...range })).rule).toBe('offers.distribution-type');
  await sandbox.emulator.deps.clock.advance(0);
  expect((await add('54102', { codes: ['B'] })).status).toBe(202);
});

test('the identical range, and ranges that do not overlap it, are allowed', async () => {
  expect((await add('54100', { codes: ['A'], ...range })).status).toBe(202);
  expect((await add('54100', { codes: ['B'], ...range })).status).toBe(202);
  const next = { distributionStart: range.distributionStop, distributionStop: '2026-12-20T00:00:00Z' };
  expect((await add('54100', { codes: ['C'], ...next })).status).toBe(202);
  expect(
    (
      await add('54100', {
        codes: ['D'],
        distributionStart: '2026-11-20T00:00:00.000+00:00',
        distributionStop: range.distributionStart,
      })
    ).status,
  ).toBe(202);
  expect((await add('54100', { codes: ['E'], ...next })).status).toBe(202);
});

test.for([
  ['2026-12-05', '2026-12-15', 'Start where the stored range ends.', { distributionStart: '2026-12-10' }],
  ['2026-11-25', '2026-12-05', 'Stop where the stored range starts.', { distributionStop: '2026-12-01' }],
  [
    '2026-12-05',
    '2027-01-05',
    'Send the part between stored ranges.',
    { distributionStart: '2026-12-10', distributionStop: '2027-01-01' },
  ],
  ['2026-12-01', '2026-12-09', 'Send the identical range.', { distributionStop: '2026-12-10' }],
] as const)('of a range from %s to %s the fix keeps what is free: %s', async ([start, stop, say, changed]) => {
  const atMidnight = (day: string) => `${day}T00:00:00.000Z`;
  await add('54100', { codes: ['A'], ...range });
  const later = { distributionStart: atMidnight('2027-01-01'), distributionStop: atMidnight('2027-02-01') };
  await add('54100', { codes: ['B'], ...later });
  const answer = await add('54100', {
    codes: ['C'],
    distributionStart: atMidnight(start),
    distributionStop: atMidnight(stop),
  });
  const edits = Object.entries(changed).map(([name, day]) => ({
    op: 'set',
    place: { in: 'body', at: `/${name}` },
    value: atMidnight(day),
  }));
  expect((await answer.exchange()).refusal?.fix).toEqual({ say, edits });
});

test('the fix of missing dates names the range of an earlier upload', async () => {
  const sayFix = async () => (await (await add('54100', { codes: ['C'] })).exchange()).refusal?.fix.say;
  await add('54100', { codes: ['A'], ...range });
  const earlier = '2026-12-01T00:00:00.000Z to 2026-12-10T00:00:00.000Z';
  expect(await sayFix()).toBe(`Send the range of an earlier upload, ${earlier}.`);
  const next = { distributionStart: range.distributionStop, distributionStop: '2026-12-20T00:00:00Z' };
  await add('54100', { codes: ['B'], ...next });
  expect(await sayFix()).toBe(`Send the range of an earlier upload, such as ${earlier}.`);
});

test('a range belongs to its offer: the same one may be used for another', async () => {
  await add('54100', { codes: ['A'], ...range });
  expect(
    (
      await add('54101', {
        codes: ['A'],
        distributionStart: '2026-12-05T00:00:00Z',
        distributionStop: '2026-12-15T00:00:00Z',
      })
    ).status,
  ).toBe(202);
});

test('an offer that never expires accepts codes without dates, or with null dates', async () => {
  expect((await add('54102', { codes: ['A'] })).status).toBe(202);
  expect((await add('54102', { codes: ['B'], distributionStart: null, distributionStop: null })).status).toBe(202);
});

test.for([
  ['ends later', { distributionStart: '2026-12-05T00:00:00Z', distributionStop: '2026-12-15T00:00:00Z' }],
  ['starts earlier', { distributionStart: '2026-11-20T00:00:00Z', distributionStop: '2026-12-05T00:00:00Z' }],
  ['differs in its start alone', { ...range, distributionStart: '2026-12-05T00:00:00Z' }],
  ['differs in its stop alone', { ...range, distributionStop: '2026-12-05T00:00:00Z' }],
  ['is all around it', { distributionStart: '2026-11-20T00:00:00Z', distributionStop: '2026-12-15T00:00:00Z' }],
  ['is within it', { distributionStart: '2026-12-03T00:00:00Z', distributionStop: '2026-12-03T00:00:01Z' }],
] as const)(
  'a range that overlaps another and %s is refused, stores nothing, in the dialect of offers',
  async ([, dates]) => {
    await add('54100', { codes: ['A'], ...range });
    const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
    const answer = await add('54100', { codes: ['B'], ...dates });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: { id: expect.any(Number), message: expect.stringContaining('overlaps') } });
    expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  },
);

test('an offer of another company is answered exactly like one that does not exist', async () => {
  const foreign = await add('90001', { codes: ['A'], ...range });
  const missing = await add('90002', { codes: ['A'], ...range });
  expect([foreign.status, foreign.rule]).toEqual([missing.status, missing.rule]);
  expect(foreign.text.replaceAll(/\d+/g, '#')).toBe(missing.text.replaceAll(/\d+/g, '#'));
  expect((await add('90001', { codes: ['A'], ...range }, 'sandpiper-other-key')).status).toBe(202);
});

test('the id of an offer is a number, so zeros before it change nothing, and one beyond 64 bits is refused', async () => {
  expect((await add('0054100', { codes: ['A'], ...range })).status).toBe(202);
  expect((await offerOf('54100')).record.codeCount).toBe(1);
  expect((await add('9223372036854775807', { codes: ['A'], ...range })).rule).toBe('offers.unknown');
  expect((await add('9223372036854775808', { codes: ['A'], ...range })).rule).toBe('offers.id');
});

test('moves of an offer by hand, and why the others are not possible', async () => {
  const { moves } = await offerOf('54100');
  expect(moves.map(({ event, open }) => [event, open])).toEqual([
    ['codesReceived', false],
    ['synced', false],
    ['syncFailed', false],
  ]);
  expect(moves.every(({ why }) => why.length > 10)).toBe(true);
});

test('an upload without codes is accepted, noted, and keeps no dates for the offer', async () => {
  const path = '/coupons/coupon-pool/54100/create';
  const dates = (start: number, stop: number) => ({
    distributionStart: `2027-03-${start}T00:00:00Z`,
    distributionStop: `2027-03-${stop}T00:00:00Z`,
  });
  const empty = await sandbox.call('POST', path, { json: { codes: [], ...dates(10, 20) } });
  expect(empty.status).toBe(202);
  expect((await empty.exchange()).notes.join()).toContain('codes is empty');
  expect([...sandbox.emulator.deps.store.offerUploads.all()]).toEqual([]);
  expect((await sandbox.call('POST', path, { json: { codes: ['A'], ...dates(15, 25) } })).status).toBe(202);
});

test('an account without offers is told to create one, and one without an open offer to open that', async () => {
  const { store } = sandbox.emulator.deps;
  const sayOf = async (offer: string) => (await (await add(offer, { codes: ['A'] })).exchange()).refusal?.fix.say;
  store.transact(() => {
    for (const { id } of store.offers.records()) if (id !== '54103') store.offers.delete(id);
  });
  expect(await sayOf('54103')).toBe('Enable uploads for this offer.');
  store.transact(() => store.offers.delete('54103'));
  for (const offer of ['54103', 'winter'])
    expect(await sayOf(offer)).toBe('This account has no offer yet: create one, then send its number.');
});

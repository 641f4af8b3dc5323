import { beforeEach, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

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

test('codes are accepted with 202 and an empty body, and the offer comes back to ACTIVE over SYNCING', async () => {
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

test('200,000 codes are accepted at once', async () => {
  const answer = await add('54100', { codes: Array.from({ length: 200_000 }, (_code, at) => `CODE-${at}`), ...range });
  expect(answer.status).toBe(202);
  expect((await offerOf('54100')).record.codeCount).toBe(200_000);
});

test('no codes at all are accepted: the schema says 0 to 200,000', async () => {
  expect((await add('54100', { codes: [], ...range })).status).toBe(202);
});

test('codes that come twice, in one request or in an earlier one, are counted once and noted', async () => {
  await add('54100', { codes: ['A', 'A', 'B'], ...range });
  const again = await add('54100', { codes: ['B', 'C'], ...range });
  expect(again.status).toBe(202);
  expect(await uploads()).toMatchObject([
    { codeCount: 2, duplicateCount: 1 },
    { codeCount: 1, duplicateCount: 1 },
  ]);
  expect((await offerOf('54100')).record.codeCount).toBe(3);
});

test('the identical range, and ranges beside it, are allowed', async () => {
  expect((await add('54100', { codes: ['A'], ...range })).status).toBe(202);
  expect((await add('54100', { codes: ['B'], ...range })).status).toBe(202);
  expect(
    (
      await add('54100', {
        codes: ['C'],
        distributionStart: range.distributionStop,
        distributionStop: '2026-12-20T00:00:00Z',
      })
    ).status,
  ).toBe(202);
  expect(
    (
      await add('54100', {
        codes: ['D'],
        distributionStart: '2026-11-20T00:00:00.000+00:00',
        distributionStop: range.distributionStart,
      })
    ).status,
  ).toBe(202);
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

test('an offer that never expires takes codes without dates, also null ones', async () => {
  expect((await add('54102', { codes: ['A'] })).status).toBe(202);
  expect((await add('54102', { codes: ['B'], distributionStart: null, distributionStop: null })).status).toBe(202);
});

test('a refused upload stores nothing, and speaks the dialect of offers', async () => {
  await add('54100', { codes: ['A'], ...range });
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const answer = await add('54100', {
    codes: ['B'],
    distributionStart: '2026-12-05T00:00:00Z',
    distributionStop: '2026-12-15T00:00:00Z',
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: { id: expect.any(Number), message: expect.stringContaining('overlaps') } });
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test("a foreign company's offer is answered exactly as one that does not exist", async () => {
  const foreign = await add('90001', { codes: ['A'], ...range });
  const missing = await add('90002', { codes: ['A'], ...range });
  expect([foreign.status, foreign.rule]).toEqual([missing.status, missing.rule]);
  expect(foreign.text.replaceAll(/\d+/g, '#')).toBe(missing.text.replaceAll(/\d+/g, '#'));
  expect((await add('90001', { codes: ['A'], ...range }, 'sandpiper-other-key')).status).toBe(202);
});

test('what a hand may do with an offer, and why not the rest', async () => {
  const { moves } = await offerOf('54100');
  expect(moves.map(({ event, open }) => [event, open])).toEqual([
    ['codesReceived', false],
    ['synced', false],
    ['syncFailed', false],
  ]);
  expect(moves.every(({ why }) => why.length > 10)).toBe(true);
});

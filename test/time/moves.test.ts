import { expect, test } from 'vitest';
import type { IllegalMoveView, RecordView } from '../../emulator/control/calls.ts';
import { product } from '../catalog/support.ts';
import { act, addCodes, opened, upload } from '../support/world.ts';

const byHand = { pace: 'manual' } as const;
const moved = ({ state, history }: RecordView) => [state, (history.at(-1) as { by: string }).by];

test('a privacy request moves by hand, and its view shows the next possible moves', async () => {
  const sandbox = await opened(byHand);
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const path = `/control/records/privacy-requests/${(body as { id: string }).id}`;
  const started = await act<RecordView>(sandbox, 'POST', `${path}/moves`, { event: 'start' });
  expect(moved(started)).toEqual(['processing', 'hand']);
  expect(started).toEqual(await act(sandbox, 'GET', path));
  expect(started.moves.map(({ event, open }) => [event, open])).toEqual([
    ['start', false],
    ['finish', true],
  ]);
});

test('an offer goes to ERROR and back by hand', async () => {
  const sandbox = await opened(byHand);
  await addCodes(sandbox, ['A']);
  const moves = '/control/records/offers/54102/moves';
  expect(moved(await act(sandbox, 'POST', moves, { event: 'syncFailed' }))).toEqual(['ERROR', 'hand']);
});

test('saving an upload by hand saves its products before the reply', async () => {
  const sandbox = await opened(byHand);
  const id = await upload(sandbox, ['a', 'b']);
  await sandbox.emulator.deps.clock.advance(0);
  const moves = `/control/records/uploads/${id}/moves`;
  await act(sandbox, 'POST', moves, { event: 'checked' });
  const saved = await act<RecordView>(sandbox, 'POST', moves, { event: 'save' });
  expect(saved).toMatchObject({ state: 'completed', record: { productsProcessed: 2 } });
});

test('nothing is due for an upload that is checked only, and its check has a time', async () => {
  const sandbox = await opened({ pace: 'realistic' });
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  const { body } = await sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  const { uploadId, uploadUrl } = body as { readonly uploadId: string; readonly uploadUrl: string };
  await fetch(uploadUrl, { method: 'PUT', body: `${JSON.stringify(product('a'))}\n` });
  await clock.advance(0);
  const read = () => act<RecordView>(sandbox, 'GET', `/control/records/uploads/${uploadId}`);
  const dueAt = ({ moves }: RecordView, event: string) => moves.find((move) => move.event === event)?.dueAt;
  expect(dueAt(await read(), 'checked')).toMatch(/Z$/);
  await clock.advance(2_000);
  const checked = await read();
  expect(checked.state).toBe('validated');
  expect(dueAt(checked, 'save')).toBeNull();
  expect((await act<{ upcoming: unknown[] }>(sandbox, 'GET', '/control/clock')).upcoming).toEqual([]);
});

test('a delivery is paused, released and redelivered by hand', async () => {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/webhooks', { url: 'http://127.0.0.1:9/nobody', events: ['sms.sent'] });
  const { deliveries } = await act<{ deliveries: { id: string }[] }>(sandbox, 'POST', '/control/trigger', {
    type: 'sms.sent',
  });
  const moves = `/control/records/deliveries/${deliveries[0]?.id}/moves`;
  expect(moved(await act(sandbox, 'POST', moves, { event: 'pause' }))).toEqual(['paused', 'hand']);
  expect(moved(await act(sandbox, 'POST', moves, { event: 'abandon' }))).toEqual(['failed', 'hand']);
  expect((await act<RecordView>(sandbox, 'POST', moves, { event: 'redeliver' })).history).toContainEqual(
    expect.objectContaining({ event: 'redeliver', by: 'hand' }),
  );
});

test('an illegal move is 409 and names the state, the event and the possible moves', async () => {
  const sandbox = await opened(byHand);
  const answer = await sandbox.control('POST', '/control/records/offers/54100/moves', { event: 'synced' });
  expect(answer.status).toBe(409);
  const { message, refusal, ...rest } = answer.body as IllegalMoveView;
  expect(refusal).toMatchObject({
    rule: 'control.move',
    place: { in: 'body', at: '/event' },
    facts: { state: 'ACTIVE', event: 'synced', open: [] },
  });
  expect(rest).toEqual({ state: 'ACTIVE', event: 'synced', open: [] });
  expect(message).toContain('"ACTIVE"');
  expect(message).toContain('"synced"');
  expect(sandbox.emulator.deps.store.offers.get('54100')?.history).toHaveLength(1);
});

test.each([
  ['offers/54100', 'explode', 400, 'Moves: codesReceived, synced, syncFailed'],
  ['sign-up-units/100001', 'start', 400, 'have no states'],
  ['offers/1', 'synced', 404, 'no record 1 of kind "offers"'],
  ['coupons/1', 'synced', 404, 'no records of kind "coupons"'],
])('moving %s by "%s" is refused with %i', async (record, event, status, message) => {
  const sandbox = await opened(byHand);
  const answer = await sandbox.control('POST', `/control/records/${record}/moves`, { event });
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
});

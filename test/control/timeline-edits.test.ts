/** What the timeline says of edits: which of them were undone since, and nothing of a call that changed nothing; its kinds. */
import { beforeEach, expect, test } from 'vitest';
import type { TimelineSpreadView, TimelineView, UndoneView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { undoLimit } from '../../emulator/world/undo.ts';
import { onFullDisk } from '../support/full-disk.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox({ pace: 'manual' });
beforeEach(() => sandbox.reset());

async function entries(): Promise<TimelineView['groups']> {
  const { body } = await sandbox.control('GET', '/control/timeline?limit=500');
  return (body as TimelineView).groups;
}
const takenBack = async (): Promise<readonly string[]> =>
  (await entries()).filter(({ isTakenBack }) => isTakenBack).map(({ says }) => says);
const subscribe = (phone: string) =>
  sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
const undoable = async (): Promise<number> =>
  ((await sandbox.control('GET', '/control/undo')).body as { readonly undo: readonly object[] }).undo.length;

test('an edit that is too old to be undone was not taken back', async () => {
  for (let number = 1; number <= undoLimit; number += 1)
    await sandbox.control('POST', '/control/offers', {
      companyId: demoCompany,
      name: `Offer ${number}`,
      window: 'never-expire',
    });
  await sandbox.control('POST', '/control/clock', { advance: '1h' });
  expect(await takenBack()).toEqual([]);
});

test('moves of time that are too old to be rewound stay sections; the one that is rewound does not', async () => {
  for (let day = 1; day <= undoLimit + 2; day += 1) await sandbox.control('POST', '/control/clock', { advance: '1d' });
  expect(await takenBack()).toEqual([]);
  await sandbox.control('POST', '/control/clock', { rewind: true });
  expect(await takenBack()).toEqual(['You advanced the clock by 1 d']);
  await sandbox.control('POST', '/control/redo', {});
  expect(await takenBack()).toEqual([expect.stringMatching(/^You went back/)]);
});

test('after undo and redo of two advances, what is in force is not marked as taken back, and what is not is', async () => {
  await sandbox.control('POST', '/control/clock', { advance: '2m' });
  await sandbox.control('POST', '/control/clock', { advance: '1h' });
  const repeat = async (call: 'undo' | 'redo'): Promise<readonly string[]> => {
    for (let count = 1; count <= 2; count += 1) await sandbox.control('POST', `/control/${call}`, {});
    return (await takenBack()).map((says) => says.replace(/, from .*/, '')).toSorted();
  };
  const advances = ['You advanced the clock by 1 h', 'You advanced the clock by 2 m'];
  const undos = ['You took this back: Time was advanced by 1 h', 'You took this back: Time was advanced by 2 m'];
  const redos = ['You did this again: Time was advanced by 1 h', 'You did this again: Time was advanced by 2 m'];
  expect(await repeat('undo')).toEqual(advances);
  expect(await repeat('redo')).toEqual(undos);
  expect(await repeat('undo')).toEqual([...advances, ...redos]);
  expect(await repeat('redo')).toEqual([...undos, ...undos].toSorted());
});

test.for(['undo', 'clock'])(
  'what was taken back by %s is below what happened after that, for pages and the spread',
  async (by) => {
    await sandbox.control('POST', '/control/clock', { freeze: true });
    await sandbox.control('POST', '/control/clock', { advance: '30d' });
    const at = (await entries())[0]?.at ?? '';
    await subscribe('+15555550123');
    await sandbox.control('POST', `/control/${by}`, by === 'undo' ? {} : { rewind: true });
    await subscribe('+15555550124');
    const groups = await entries();
    expect(
      groups.slice(0, 4).map(({ says, isTakenBack }) => [/0123|0124|took|went|advanced/.exec(says)?.[0], isTakenBack]),
    ).toEqual([
      ['0124', false],
      [by === 'undo' ? 'took' : 'went', false],
      ['0123', true],
      ['advanced', true],
    ]);
    // Each still tells its own time.
    expect(groups[3]?.at).toBe(at);
    const path = '/control/timeline?limit=2&before=';
    const { body } = await sandbox.control('GET', path + encodeURIComponent(groups[1]?.cursor ?? ''));
    expect((body as TimelineView).groups.map(({ id }) => id)).toEqual(groups.slice(2, 4).map(({ id }) => id));
    const spread = await sandbox.control('GET', '/control/timeline/spread');
    expect(Date.parse((spread.body as TimelineSpreadView).to ?? '')).toBeLessThan(Date.parse(at));
  },
);

test('all that an undo takes with it is taken back', async () => {
  const offer = { companyId: demoCompany, window: 'never-expire' };
  await sandbox.control('POST', '/control/offers', { ...offer, name: 'First' });
  await sandbox.control('POST', '/control/offers', { ...offer, name: 'Second' });
  const { undo } = (await sandbox.control('GET', '/control/undo')).body as {
    readonly undo: readonly { readonly id: string }[];
  };
  await sandbox.control('POST', '/control/undo', { id: undo[1]?.id, andNewer: true });
  expect((await takenBack()).map((says) => /First|Second/.exec(says)?.[0])).toEqual(['Second', 'First']);
});

test('after an undo of a reset and of an edit after it, a redo of the reset alone leaves the edit taken back', async () => {
  await sandbox.control('POST', '/control/reset', { world: 'start' });
  const offer = { companyId: demoCompany, window: 'never-expire', name: 'Made after it' };
  await sandbox.control('POST', '/control/offers', offer);
  const { undo } = (await sandbox.control('GET', '/control/undo')).body as {
    readonly undo: readonly { readonly id: string }[];
  };
  await sandbox.control('POST', '/control/undo', { id: undo[1]?.id, andNewer: true });
  const { redone } = (await sandbox.control('POST', '/control/redo', {})).body as { redone: string };
  expect(redone).toBe('Everything was reset to the demo world.');
  expect(await takenBack()).toEqual([
    expect.stringMatching(/^You took this back: Everything was reset/),
    expect.stringContaining('Made after it'),
  ]);
  await sandbox.control('POST', '/control/redo', {});
  expect((await takenBack()).filter((says) => says.includes('Made after it'))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'of an undo of several edits that fails on the way, those that were taken back are marked as taken back',
  async () => {
    const full = await onFullDisk();
    full.makeRoom();
    const offer = { companyId: demoCompany, window: 'never-expire', name: 'Kept' };
    await full.control('POST', '/control/offers', offer);
    const { undo } = (await full.control('GET', '/control/undo')).body as { undo: readonly { id: string }[] };
    await full.control('POST', '/control/faults', { operation: 'GET /me', status: 500 });
    await full.fill();
    expect(await full.control('POST', '/control/undo', { id: undo[0]?.id, andNewer: true })).toMatchObject({
      status: 507,
    });
    const { groups } = (await full.control('GET', '/control/timeline?limit=500')).body as TimelineView;
    const byHand = groups.filter(({ says }) => /fault|Kept/.test(says));
    expect(byHand.map(({ says, isTakenBack }) => [/fault|Kept/.exec(says)?.[0], isTakenBack])).toEqual([
      ['fault', true],
      ['Kept', false],
    ]);
  },
);

test('the undo of a reset brings back what was done by hand before it, and its redo takes that out again', async () => {
  const reset = 'Everything was reset to the demo world.';
  const created = 'The offer “Before” was created.';
  const said = async () => (await entries()).map(({ says }) => says).filter((says) => [reset, created].includes(says));
  await sandbox.control('POST', '/control/offers', { companyId: demoCompany, window: 'never-expire', name: 'Before' });
  await sandbox.control('POST', '/control/reset', { world: 'demo' });
  expect(await said()).toEqual([reset]);
  await sandbox.control('POST', '/control/undo', {});
  expect(await said()).toEqual([reset, created]);
  expect(await takenBack()).toEqual([reset]);
  await sandbox.control('POST', '/control/redo', {});
  expect(await said()).toEqual([reset]);
  await sandbox.control('POST', '/control/undo', {});
  await sandbox.control('POST', '/control/undo', {});
  expect(await takenBack()).toEqual(expect.arrayContaining([reset, created]));
});

test.each([
  ['removing faults where there are none', 'DELETE', '/control/faults', undefined],
  ['unfreezing a clock that runs', 'POST', '/control/clock', { freeze: false }],
  ['the speed that the clock has', 'POST', '/control/clock', { rate: 1 }],
  ['real time where time is real', 'POST', '/control/clock', { real: true }],
  ['the pace that there is', 'POST', '/control/pace', { pace: 'manual' }],
  ['the limits that there are', 'POST', '/control/limits', { mode: 'off' }],
])('%s is not an entry of the timeline, and not a step to undo', async (_what, method, path, body) => {
  const [said, steps] = [await entries(), await undoable()];
  await sandbox.control(method, path, body);
  expect([await entries(), await undoable()]).toEqual([said, steps]);
});

test('revoking a credential once more is not a step to undo', async () => {
  const { id } = (await sandbox.control('POST', '/control/credentials', { companyId: demoCompany })).body as {
    readonly id: string;
  };
  await sandbox.control('DELETE', `/control/credentials/${id}`);
  const [said, steps] = [await entries(), await undoable()];
  await sandbox.control('DELETE', `/control/credentials/${id}`);
  expect([await entries(), await undoable()]).toEqual([said, steps]);
  const { body } = await sandbox.control('POST', '/control/undo', {});
  expect((body as UndoneView).code).toBe('credential.revoked');
});

test('an edit to the values that a record has is not a step to undo, and what was undone can still be done again', async () => {
  const app = { companyId: demoCompany, kind: 'private', name: 'Reader', scopes: ['offers:write'] };
  const { id } = (await sandbox.control('POST', '/control/apps', app)).body as { readonly id: string };
  await sandbox.control('POST', '/control/apps', { ...app, name: 'Writer' });
  await sandbox.control('POST', '/control/undo', {});
  const [said, steps] = [await entries(), await undoable()];
  await sandbox.control('POST', `/control/apps/${id}`, { name: 'Reader' });
  await sandbox.control('POST', `/control/apps/${id}/scopes`, { scope: 'offers:write', held: true });
  expect([await entries(), await undoable()]).toEqual([said, steps]);
  expect((await sandbox.control('POST', '/control/redo', {})).status).toBe(200);
});

test.for(['/control/timeline', '/control/timeline/spread'])(
  'a kind that the timeline does not have is refused with those that there are, and not answered with nothing: %s',
  async (path) => {
    expect(await sandbox.control('GET', `${path}?kind=clock,requests`)).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(
          /^The timeline has no kind "requests"\. Did you mean "request"\? Available: request, change, delivery, message, person, clock, edit, fault\./,
        ),
        refusal: {
          rule: 'timeline.kind',
          place: { in: 'query', at: 'kind' },
          fix: { edits: [{ op: 'set', value: 'clock,request' }] },
        },
      },
    });
    expect((await sandbox.control('GET', `${path}?kind=`)).status).toBe(400);
    expect((await sandbox.control('GET', `${path}?kind=request,clock`)).status).toBe(200);
  },
);

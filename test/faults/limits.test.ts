import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { LimitsView } from '../../emulator/control/calls.ts';
import { startSandbox, useSandbox, type Answer } from '../support/sandbox.ts';

const sandbox = useSandbox();
// Windows are virtual seconds: with a frozen clock no test depends on how fast it runs.
beforeEach(() => sandbox.emulator.deps.clock.freeze(true));
afterEach(() => sandbox.reset());

const setMode = async (mode: string) => sandbox.control('POST', '/control/limits', { mode });
const getLimits = async (): Promise<LimitsView> => (await sandbox.control('GET', '/control/limits')).body;
const told = ({ headers }: Answer) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
const unsubscribe = (key?: string) =>
  sandbox.call('POST', '/subscriptions/unsubscribe', {
    json: { user: { email: 'ada@example.com' } },
    ...(key === undefined ? {} : { key }),
  });

/** Sends requests one after the other; returns their statuses. */
async function send(count: number, request: () => Promise<Answer>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++) statuses.push((await request()).status);
  return statuses;
}

test('limits are off by default: the headers count down, no request is refused', async () => {
  expect(await getLimits()).toMatchObject({ mode: 'off', refused: 0, early: 0 });
  expect(told(await unsubscribe())).toEqual(['5', '4']);
  expect(await send(6, () => unsubscribe())).toEqual([202, 202, 202, 202, 202, 202]);
  expect(told(await unsubscribe())).toEqual(['5', '0']);
});

test.for([
  ['POST', '/subscriptions', 10],
  ['POST', '/subscriptions/unsubscribe', 5],
  ['POST', '/identity-resolution/user-identifiers', 10],
  ['GET', '/subscriptions', 150],
  ['GET', '/me', 150],
] as const)('%s %s takes %i requests a second, and every response tells', async ([method, path, limit]) => {
  await setMode('real');
  const answers: Answer[] = [];
  for (let sent = 0; sent <= limit; sent++) answers.push(await sandbox.call(method, path));
  expect(answers.map(told)).toEqual([
    ...Array.from({ length: limit }, (_, sent) => [String(limit), String(limit - 1 - sent)]),
    [String(limit), '0'],
  ]);
  expect(answers.slice(0, -1).filter(({ status }) => status === 429)).toEqual([]);
  expect(answers.at(-1)).toMatchObject({
    status: 429,
    rule: 'limits.rate',
    body: { message: expect.stringContaining(`allows ${limit} per second`) },
  });
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('1');
});

test('the limit counts per token and operation, and a refused request changes nothing', async () => {
  await setMode('real');
  expect(await send(6, () => unsubscribe())).toEqual([202, 202, 202, 202, 202, 429]);
  expect((await unsubscribe('sandpiper-other-key')).rule).not.toBe('limits.rate');
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  expect((await unsubscribe()).status).toBe(429);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  expect(await getLimits()).toMatchObject({ mode: 'real', frozen: true, refused: 2 });
});

test('a token is counted as one, however its header is written', async () => {
  await setMode('real');
  const { call } = sandbox;
  const json = { user: { email: 'ada@example.com' } };
  for (const authorization of ['Bearer  sandpiper-demo-key', 'bearer sandpiper-demo-key', 'BEARER sandpiper-demo-key '])
    await call('POST', '/subscriptions/unsubscribe', { key: null, headers: { authorization }, json });
  expect(told(await unsubscribe())).toEqual(['5', '1']);
});

test('an operation for which the specification names no 429 shows its limit and refuses no request', async () => {
  await setMode('real');
  expect(new Set(await send(151, () => sandbox.call('GET', '/webhooks')))).toEqual(new Set([200]));
  expect(told(await sandbox.call('GET', '/webhooks'))).toEqual(['150', '0']);
});

test('the next second on the virtual clock accepts requests again', async () => {
  await setMode('real');
  expect(await send(6, () => unsubscribe())).toContain(429);
  await sandbox.emulator.deps.clock.advance(1_000);
  expect(told(await unsubscribe())).toEqual(['5', '4']);
});

test('a refusal mentions a frozen clock, because its second does not end', async () => {
  await setMode('real');
  await send(5, () => unsubscribe());
  const refused = await unsubscribe();
  expect(refused.body).toMatchObject({ message: expect.stringContaining('The clock is frozen') });
  expect((await refused.exchange()).refusal?.fix.say).toMatch(/^Let the clock run, or advance it by a second/);
});

test('refused requests count, and also get the headers', async () => {
  expect(told(await sandbox.call('GET', '/me', { key: null }))).toEqual(['150', '149']);
  expect(told(await sandbox.call('GET', '/webhooks', { key: 'sandpiper-readonly-key' }))).toEqual(['150', '149']);
  expect(told(await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': 'status=500' } }))).toEqual([
    '150',
    '149',
  ]);
});

test('at a slow rate of the clock Retry-After is how long its second takes', async () => {
  await setMode('real');
  const { clock } = sandbox.emulator.deps;
  await clock.set(Math.ceil(clock.now() / 1_000) * 1_000);
  clock.rate(0.001);
  await send(5, () => unsubscribe());
  expect((await unsubscribe()).headers.get('retry-after')).toBe('1000');
});

test('GraphQL refuses no request, as section 7 names no 429 for it', async () => {
  await setMode('real');
  const ask = () => sandbox.call('POST', '/graphql', { json: { query: '{ __typename }' } });
  await send(150, ask);
  const answer = await ask();
  expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
});

test('a client that returns before Retry-After has passed is noted, with the request that asked to wait', async () => {
  await setMode('real');
  const { clock } = sandbox.emulator.deps;
  // Else a busy machine waits long enough by itself.
  const stopped = vi.spyOn(clock, 'wall').mockReturnValue(clock.wall());
  onTestFinished(() => stopped.mockRestore());
  await send(5, () => unsubscribe());
  const asked = await (await unsubscribe()).exchange();
  await clock.advance(400);
  const early = await (await unsubscribe()).exchange();
  expect(early.early?.askedBy).toBe(asked.id);
  expect(early.early?.ms).toBeLessThanOrEqual(600);
  expect(early.notes.join()).toMatch(new RegExp(`Sent 0\\.\\d s before the Retry-After of ${asked.id} had passed`));
  expect(await getLimits()).toMatchObject({
    early: 1,
    earlyReturns: [{ requestId: early.id, askedBy: asked.id, operation: 'POST /subscriptions/unsubscribe' }],
  });
  const again = await (await unsubscribe()).exchange();
  expect((await getLimits()).earlyReturns.map(({ requestId }) => requestId)).toEqual([early.id, again.id]);
});

test('a client that waits long enough, on either clock, is not noted', async () => {
  const faulted = await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': 'status=429, retry-after=30' } });
  expect(faulted.headers.get('retry-after')).toBe('30');
  await sandbox.emulator.deps.clock.advance(30_000);
  expect((await (await sandbox.call('GET', '/me')).exchange()).early).toBeNull();

  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': 'status=429, retry-after=30' } });
  const later = vi.spyOn(clock, 'wall').mockReturnValue(clock.wall() + 30_000);
  onTestFinished(() => later.mockRestore());
  expect((await (await sandbox.call('GET', '/me')).exchange()).early).toBeNull();
  expect((await getLimits()).early).toBe(0);
});

test('a wait applies only to its token and operation', async () => {
  // Longer than a busy machine takes for the rest.
  await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': 'status=429, retry-after=3600' } });
  expect((await (await sandbox.call('GET', '/webhooks')).exchange()).early).toBeNull();
  expect((await (await sandbox.call('GET', '/me', { key: 'sandpiper-other-key' })).exchange()).early).toBeNull();
  expect((await (await sandbox.call('GET', '/me')).exchange()).early).not.toBeNull();
});

test('the mode is one of two, and a reset goes back to that of the start', async () => {
  expect((await setMode('on')).status).toBe(400);
  expect((await setMode('real')).body).toMatchObject({ mode: 'real' });
  await sandbox.reset();
  expect((await getLimits()).mode).toBe('off');
  const real = await startSandbox({ rateLimits: 'real' });
  try {
    expect((await real.control('GET', '/control/limits')).body).toMatchObject({ mode: 'real' });
  } finally {
    await real.close();
  }
});

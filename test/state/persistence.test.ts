import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-state-'));
  cleanUps.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A random number generator whose seed is shown when a test fails. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const phone = (n: number) => `+1555555${String(2000 + n)}`;

/** Calls that change something, in any order. */
function calls(): readonly ((sandbox: Sandbox) => Promise<unknown>)[] {
  return Array.from({ length: 12 }, (_call, n) => n).flatMap((n) => [
    (sandbox: Sandbox) =>
      sandbox.call('POST', '/subscriptions', {
        json: { user: { phone: phone(n), email: `p${n}@example.com` }, signUpSourceId: '100001' },
      }),
    (sandbox: Sandbox) =>
      sandbox.call('POST', '/attributes/custom', {
        json: { user: { phone: phone(n) }, properties: { size: `S${n}`, 'favorite color': 'blue' } },
      }),
    (sandbox: Sandbox) =>
      sandbox.call('POST', '/events/custom', {
        json: { type: 'Visited', user: { phone: phone(n) }, externalEventId: `e${n}` },
      }),
    (sandbox: Sandbox) =>
      sandbox.call('POST', '/identity-resolution/user-identifiers', {
        json: { phone: phone(n), clientUserId: `c${n}` },
      }),
    (sandbox: Sandbox) =>
      sandbox.call('POST', '/webhooks', { json: { url: `http://localhost:3000/${n}`, events: ['email.opened'] } }),
  ]);
}

/** What the API returns afterwards. */
async function readBack(sandbox: Sandbox): Promise<unknown> {
  const people = [];
  for (let n = 0; n < 12; n++) {
    const [subscriptions, attributes] = [
      await sandbox.call('GET', '/subscriptions', { query: { phone: phone(n) } }),
      await sandbox.call('GET', '/attributes/custom', { query: { email: `p${n}@example.com` } }),
    ];
    people.push([
      subscriptions.body,
      (attributes.body as { name: string }[]).toSorted((a, b) => a.name.localeCompare(b.name)),
    ]);
  }
  const { webhooks } = (await sandbox.call('GET', '/webhooks')).body as { webhooks: { url: string }[] };
  return { people, webhooks: webhooks.map(({ url }) => url).toSorted() };
}

test('the same calls in any order, with restarts in between, lead to the same answers', async () => {
  const results: unknown[] = [];
  for (const seed of [1, 20_261_121]) {
    const random = seeded(seed);
    const dataDir = folder();
    let sandbox = await startSandbox({ dataDir });
    for (const call of calls()
      .map((one) => ({ one, at: random() }))
      .toSorted((a, b) => a.at - b.at)) {
      expect(((await call.one(sandbox)) as { status: number }).status).toBeLessThan(300);
      if (random() < 0.08) {
        const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
        await sandbox.close();
        sandbox = await startSandbox({ dataDir });
        expect(JSON.stringify(sandbox.emulator.deps.store.toDocument()), `seed ${seed}`).toBe(before);
      }
    }
    results.push(await readBack(sandbox));
    await sandbox.close();
  }
  expect(results[1]).toEqual(results[0]);
});

test('two emulators in one process are independent', async () => {
  const [one, other] = await Promise.all([startSandbox(), startSandbox()]);
  cleanUps.push(
    () => one.close(),
    () => other.close(),
  );
  await one.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/one', events: ['sms.sent'] } });
  expect((await one.call('GET', '/webhooks')).body).toMatchObject({ webhooks: [{ url: 'http://localhost:3000/one' }] });
  expect((await other.call('GET', '/webhooks')).body).toEqual({ webhooks: [] });
  expect(
    (
      await fetch(`${other.emulator.inspectorUrl}/control/health`, {
        headers: { authorization: `Bearer ${one.emulator.token}` },
      })
    ).status,
  ).toBe(401);
  await one.reset();
  expect((await other.call('GET', '/me')).status).toBe(200);
});

test('the demo world is seeded once: a restart finds it and adds nothing', async () => {
  const dataDir = folder();
  const first = await startSandbox({ dataDir });
  expect((await first.call('GET', '/me')).status).toBe(200);
  await first.close();
  const second = await startSandbox({ dataDir });
  cleanUps.push(() => second.close());
  expect((await second.control('GET', '/control/health')).body).toMatchObject({ records: { companies: 2, offers: 5 } });
});

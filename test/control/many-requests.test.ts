import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Reply } from '../../emulator/control/calls.ts';
import { recordMany } from '../support/record-many.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';
import { longestShare } from '../support/turns.ts';

const many = 5_000;

// Checking a reply takes one turn, which is none of the product's.
const sandbox = useSandbox({ checkReplies: false });

test.each([
  ['filtered by the test that sent them', 'GET', '/control/requests?test=checkout'],
  ['searched in their headers', 'GET', '/control/body-search?in=headers&text=zzzz'],
  ['exported as an archive', 'POST', '/control/requests/har'],
])(
  'while many recorded requests are %s, other requests get their turn: no step takes long',
  async (_how, method, path) => {
    await sandbox.reset();
    recordMany(sandbox, many);
    const { inspectorUrl, token } = sandbox.emulator;
    const share = await longestShare(0.25, async () => {
      const answer = await fetch(inspectorUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(answer.status).toBe(200);
      for await (const _ of answer.body ?? []);
    });
    expect(share).toBeLessThan(0.25);
  },
);

const spaces = ' '.repeat(60_000_000);

test.each([
  ['of spaces only', () => spaces, 'body.json'],
  ['that is open after many spaces', () => `{"sandpiper":[${spaces}}`, 'body.json'],
  ['that ends after many line breaks', () => `{"sandpiper":1,${'\n'.repeat(60_000_000)}`, 'body.json'],
  ['of one long text', () => `{"sandpiper":"${spaces}`, 'body.json'],
  ['of an object with millions of names', () => manyNames(), 'body.too-many-names'],
])('while a large body %s is refused, other requests get their turn', async (_what, make, rule) => {
  const { inspectorUrl, token } = sandbox.emulator;
  const body = gzipSync(make(), { level: 1 });
  const share = await longestShare(0.3, async () => {
    const answer = await fetch(`${inspectorUrl}/control/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body,
    });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([400, rule]);
    await answer.text();
  });
  expect(share).toBeLessThan(0.3);
});

function manyNames(): string {
  const names: string[] = [];
  for (let at = 0; at < 3_000_000; at += 1) names.push(`"${at}x":1`);
  return `{${names.join()}}`;
}

test('requests that newer ones push out of the record while an archive is made are whole in it', async () => {
  const small = await startSandbox({ record: { exchanges: 2_000, bytes: 64 * 1024 * 1024, days: 30 } });
  recordMany(small, 2_000);
  const record = (): void => {
    recordMany(small, 1_000);
    next = setImmediate(record);
  };
  let next = setImmediate(record);
  const { body } = await small.control('POST', '/control/requests/har', {});
  clearImmediate(next);
  await small.close();
  const { log } = body as Reply<'POST /control/requests/har'>;
  const entries = log.entries as readonly { readonly request: { readonly headers: readonly unknown[] } }[];
  expect(entries).toHaveLength(2_000);
  expect(entries.filter(({ request }) => request.headers.length === 0)).toEqual([]);
});

test('who still reads a request that is no longer recorded does not disturb those that come', async () => {
  const small = await startSandbox({ record: { exchanges: 10, bytes: 64 * 1024 * 1024, days: 30 } });
  const { recorder } = small.emulator;
  recordMany(small, 10);
  const [first] = recorder.all();
  recordMany(small, 3_000);
  expect(first?.requestHeaders).toEqual([]);
  first?.hold();
  first?.letGo();
  recordMany(small, 3_000);
  expect(recorder.all().map(({ requestHeaders }) => requestHeaders.length)).toEqual(Array(10).fill(2));
  await small.close();
});

test('a list of none has only its count', async () => {
  await sandbox.reset();
  recordMany(sandbox, 3);
  const lists = ['requests', 'messages', 'deliveries'] as const;
  for (const name of lists) {
    const { body } = await sandbox.control('GET', `/control/${name}?limit=0`);
    expect((body as Record<string, unknown>)[name], name).toEqual([]);
  }
  expect((await sandbox.control('GET', '/control/requests?limit=0')).body).toMatchObject({ total: 3, requests: [] });
});

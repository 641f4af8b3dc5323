import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RefusalView } from '../../emulator/control/calls.ts';
import type { Exchange } from '../../emulator/http/record/exchange.ts';
import { createExplain } from '../../emulator/http/explain.ts';
import { allRules } from '../../emulator/control/rules/rule-registry.ts';
import { catalogRules } from '../../emulator/features/catalog/check/rules.ts';
import { inPath, rule, toRefusal } from '../../emulator/rules.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';
import { byHandViolations } from './by-hand.ts';
import { controlViolations as ofControl } from './control.ts';
import { numbersOf, numbersWithoutFact } from './facts.ts';
import { violations } from './index.ts';
import { wrongPlace } from './places.ts';
import type { Violation } from './violation.ts';

/** What a sentence has where a fact is missing. */
const leftOut = /\bundefined\b|\bNaN\b|\[object |Invalid Date/;
const controlViolations = [...ofControl, ...byHandViolations];

test.each([
  [
    'auth.scope',
    {
      needed: ['webhooks:write'],
      held: expect.arrayContaining(['subscriptions:read']) as string[],
      app: { id: expect.any(String) as string, name: 'Read-only app' },
      credentialId: expect.any(String) as string,
    },
  ],
  [
    'offers.range-overlap',
    {
      range: { start: '2026-12-05T00:00:00.000Z', stop: '2026-12-15T00:00:00.000Z' },
      stored: { start: '2026-12-01T00:00:00.000Z', stop: '2026-12-10T00:00:00.000Z' },
      free: { start: '2026-12-10T00:00:00.000Z', stop: '2026-12-15T00:00:00.000Z' },
    },
  ],
  ['offers.too-many-codes', { count: 200_001, limit: 200_000 }],
  ['body.json', { line: 1, column: expect.any(Number) as number, offset: expect.any(Number) as number }],
  ['graphql.aliases', { count: expect.any(Number) as number, limit: 50 }],
] as const)('what the message of %s says is also there as data', async (id, facts) => {
  const violation = violations.find(({ rule: of }) => of === id);
  if (!violation) throw new Error(`Nothing violates ${id}.`);
  const sandbox = await startSandbox(violation.options);
  try {
    const request = { ...violation.request, ...(await violation.before?.(sandbox)) };
    const { refusal } = await (await sandbox.call(request.method, request.path, request)).exchange();
    expect(refusal?.facts).toMatchObject(facts);
  } finally {
    await sandbox.close();
  }
});

describe('every rule refuses its violation, says why, and accepts its own fix', () => {
  test.for(violations.map((violation) => [violation.rule, violation] as const))('%s', async ([id, violation]) => {
    const sandbox = await startSandbox(violation.options);
    try {
      const request = { ...violation.request, ...(await violation.before?.(sandbox)) };
      const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
      const refused = await sandbox.call(request.method, request.path, request);
      expect(refused.rule, refused.text).toBe(id);
      expect(JSON.stringify(sandbox.emulator.deps.store.toDocument()), 'a refusal changes nothing').toBe(before);

      const { refusal } = await refused.exchange();
      const registered = allRules.find((one) => one.id === id);
      expect(refusal).toMatchObject({ rule: id, section: registered?.section, says: registered?.says });
      expect(refused.status).toBe(registered?.status);
      expect(refused.headers.get('x-sandbox-explain')).toContain('/#/requests/req_');
      expect(refusal?.message.length).toBeGreaterThan(10);
      expect(refusal?.fix.say).not.toBe('');
      expect(`${refusal?.message} ${refusal?.fix.say}`).not.toMatch(leftOut);
      const facts = JSON.stringify(refusal?.facts);
      expect(facts.length, 'facts are short').toBeLessThan(2_000);
      expect(refusal && wrongPlace(refusal, request, sandbox.emulator.operations)).toBeNull();
      expect(refusal && numbersWithoutFact(refusal), 'numbers of the message are facts').toEqual([]);
      for (const { secret } of sandbox.emulator.deps.store.credentials.all()) expect(facts).not.toContain(secret);

      if (violation.noEdit !== undefined) {
        expect(refusal?.fix.edits).toEqual([]);
        return;
      }
      expect(refusal?.fix.edits, 'a fix that a program can apply').not.toEqual([]);
      const fixed = applyFix(request, refusal?.fix.edits ?? []);
      const answer = await sandbox.call(fixed.method, fixed.path, fixed);
      expect(answer.rule, `after the fix: ${answer.text}`).not.toBe(id);
    } finally {
      await sandbox.close();
    }
  });
});

const registeredIds = new Set(allRules.map(({ id }) => id));

describe('so does every rule of the control API and of records created by hand', () => {
  test.for(controlViolations.map((violation) => [violation.rule, violation] as const))(
    '%s',
    async ([id, violation]) => {
      const sandbox = await startSandbox(violation.options);
      try {
        const request = { ...violation.request, ...(await violation.before?.(sandbox)) };
        const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
        const refused = await callControl(sandbox, request);
        expect(refused.rule, JSON.stringify(refused.body)).toBe(id);
        expect(JSON.stringify(sandbox.emulator.deps.store.toDocument()), 'a refusal changes nothing').toBe(before);

        const registered = allRules.find((one) => one.id === id);
        const { message, refusal } = refused.body as { message: string; refusal: RefusalView };
        expect(refused.status).toBe(registered?.status);
        expect(refusal).toMatchObject({ rule: id, section: registered?.section, says: registered?.says, message });
        expect(message.length).toBeGreaterThan(10);
        expect(refusal.fix.say).not.toBe('');
        expect(`${message} ${refusal.fix.say}`).not.toMatch(leftOut);
        expect(wrongPlace(refusal, request, [])).toBeNull();
        expect(numbersWithoutFact(refusal), 'numbers of the message are facts').toEqual([]);
        if (violation.noEdit !== undefined) {
          expect(refusal.fix.edits).toEqual([]);
          return;
        }
        expect(refusal.fix.edits, 'a fix that a program can apply').not.toEqual([]);
        const answer = await callControl(sandbox, applyFix(request, refusal.fix.edits));
        expect(answer.rule, `after the fix: ${JSON.stringify(answer.body)}`).not.toBe(id);
      } finally {
        await sandbox.close();
      }
    },
  );
});

async function callControl({ emulator }: Sandbox, { method, path, query, json, headers = {} }: Violation['request']) {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const answer = await fetch(emulator.inspectorUrl + path + search, {
    method,
    headers: { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json', ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { status: answer.status, rule: answer.headers.get('x-sandbox-rule'), body };
}

/** Rules whose violation needs more than one request of an HTTP library, and the test with it. */
const elsewhere: { readonly [rule: string]: string } = {
  'body.too-slow': 'test/http/body.test.ts',
  'request.host': 'test/control/guard.test.ts',
  'request.http': 'test/control/requests.test.ts',
  'request.tls': 'test/http/broken-requests.test.ts',
  'request.http2': 'test/http/broken-requests.test.ts',
  'request.leftover': 'test/http/broken-requests.test.ts',
  'request.head-size': 'test/http/broken-requests.test.ts',
  'request.chunk-extensions': 'test/http/broken-requests.test.ts',
  'request.head-time': 'test/http/broken-requests.test.ts',
  'objects.busy': 'test/objects/cut.test.ts',
  'objects.gone': 'test/api/catalog.test.ts',
  'objects.length': 'test/objects/cut.test.ts',
  'objects.no-body': 'test/objects/refusals.test.ts',
  'objects.too-large': 'test/objects/put.test.ts',
  'objects.space': 'test/objects/refusals.test.ts',
  'editor.no-place': 'test/control/open-editor.test.ts',
  'editor.no-folder': 'test/control/open-editor.test.ts',
  'editor.form': 'test/control/open-editor.test.ts',
  'editor.outside': 'test/control/open-editor.test.ts',
  'editor.failed': 'test/control/open-editor.test.ts',
  'editor.none': 'test/control/open-editor.test.ts',
  'editor.terminal': 'test/control/open-editor.test.ts',
  'exec.blocked': 'test/production/exec.test.ts',
  'catalog.damaged': 'test/catalog/products.test.ts',
  'moments.damaged': 'test/store/past.test.ts',
  'snapshots.json': 'test/snapshots/snapshots.test.ts',
  'snapshots.size': 'test/snapshots/snapshots.test.ts',
  'uploads.line': 'test/control/uploads.test.ts',
  'uploads.not-fixed': 'test/control/uploads.test.ts',
  'uploads.nothing-fixed': 'test/control/uploads.test.ts',
  'uploads.save-failed': 'test/catalog/uploads.test.ts',
  'world.declared': 'test/control/reset-declared.test.ts',
  'uploads.stopped': 'test/control/uploads.test.ts',
};

test('every registered rule has a violation in this suite', () => {
  const covered = new Set([
    ...violations.map(({ rule }) => rule),
    ...controlViolations.map(({ rule }) => rule),
    ...Object.keys(elsewhere),
  ]);
  expect([...registeredIds].filter((id) => !covered.has(id))).toEqual([]);
});

test.for(Object.entries(elsewhere))('%s is broken in %s', ([rule, file]) => {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(text.includes(rule), 'the test names the rule').toBe(true);
});

test('rule ids are unique', () => {
  const ids = allRules.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('every rule that is declared anywhere is in the registry', () => {
  const root = join(import.meta.dirname, '../../emulator');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const declared = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/\b(?:r|ownR)ule(?:<[^(]*?>)?\(\{\s*id: (?:'([^']+)'|`([^`$]+)\$)/g)].map(
      ([, id, start]) => id ?? `${start}*`,
    );
  });
  expect(declared.length).toBeGreaterThan(100);
  const isRegistered = (id: string) =>
    id.endsWith('*') ? [...registeredIds].some((one) => one.startsWith(id.slice(0, -1))) : registeredIds.has(id);
  expect(declared.filter((id) => !isRegistered(id))).toEqual([]);
});

test('every rule that code asks for by its id is in the registry', () => {
  const root = join(import.meta.dirname, '../..');
  const asked = ['emulator', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|vue)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, folder, file), 'utf8');
        return [...text.matchAll(/\brule(?:\??\.id)? [!=]== '([a-z-]+\.[a-z0-9.-]+)'/g)].map(([, id = '']) => ({
          file,
          id,
        }));
      }),
  );
  const known = new Set([...registeredIds, ...catalogRules.map(({ id }) => id)]);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ id }) => !known.has(id))).toEqual([]);
});

/** Rules whose whole sentence is a fact, because another part knows it. */
const saidElsewhere: { readonly [rule: string]: string } = {
  'control.move': 'The table of the states says why a record does not take a move.',
  'control.store': 'The store says what is wrong with the disk.',
  'graphql.validation': 'graphql-js says it.',
  'graphql.variables': 'graphql-js says it.',
  'request.host': 'The guard of the host says which names it knows (net/host-guard.ts).',
  'store.unsaved': 'The store says what is wrong with the disk.',
  'world.declared': 'The mistakes of a file are sentences with its lines.',
};

test('a rule makes its message from facts, and does not repeat a sentence that was made elsewhere', () => {
  const root = join(import.meta.dirname, '../../emulator');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const repeating = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\bid: '([^']+)',(?:(?!\bid: ').)*?\bmessage: \(\{ (\w+) \}\) => \2\b/gs,
      ),
    ].map(([, id]) => id),
  );
  expect(repeating.toSorted()).toEqual(Object.keys(saidElsewhere));
});

test('the words of a rule take their numbers from the code, unless they are those of the specification', () => {
  const root = join(import.meta.dirname, '../../emulator');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const written = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/\bsays:\s*'((?:[^'\\]|\\.)*)'/g),
  ]);
  const literal = new Set(written.map(([, says]) => says));
  const ours = allRules.filter(({ provenance }) => provenance !== 'documented');
  const repeating = ours.filter(({ says }) => numbersOf(says).length > 0 && literal.has(says)).map(({ id }) => id);
  expect(repeating).toEqual([]);
});

test('a refusal by a rule outside the registry is an internal error', () => {
  const told: unknown[] = [];
  const explain = createExplain({
    urls: { inspector: 'http://127.0.0.1:4748' },
    answers: 'helpful',
    rules: new Set(allRules),
    onOwnError: (error) => void told.push(error),
  });
  const stray = rule({
    id: 'stray.rule',
    status: 400,
    section: '4',
    provenance: 'observed',
    says: 'This rule is not registered.',
    message: () => 'It is refused.',
    fix: () => ({ say: 'Register it.', edits: [] }),
  });
  const failed = { req: { socket: {} } as IncomingMessage, res: {} as ServerResponse, dialect: 'message' } as const;
  const exchange = { id: 'req_1', sequence: 1 } as Exchange;
  const reply = explain(toRefusal(stray, inPath(''), undefined, undefined), { ...failed, exchange });
  expect(reply?.status).toBe(500);
  expect(reply?.headers).not.toHaveProperty('x-sandbox-rule');
  expect(told).toMatchObject([{ message: expect.stringContaining('stray.rule') }]);
});

test('only rules.ts creates refusals, and the files of the record restore old ones', () => {
  const root = join(import.meta.dirname, '../../emulator');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const makers = files.filter((file) => /new Refusal\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(makers.toSorted()).toEqual(['http/record/entry.ts', 'rules.ts']);
});

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ReferencePage } from '../../emulator/control/contract/reference.ts';
import { useSandbox } from '../support/sandbox.ts';
import { violations } from '../rules/index.ts';
import { referenceFolder, toReferenceFiles } from '../tools/reference.ts';

const sandbox = useSandbox();
const run = promisify(execFile);

const pagesOf = async (): Promise<readonly ReferencePage[]> => {
  const { status, body } = await sandbox.control('GET', '/control/reference');
  expect(status).toBe(200);
  return (body as { pages: readonly ReferencePage[] }).pages;
};

test('docs/reference matches the contract; npm run docs updates it', async () => {
  const wanted = await toReferenceFiles(sandbox.emulator);
  expect(readdirSync(referenceFolder).toSorted()).toEqual([...wanted.keys()].toSorted());
  for (const [name, text] of wanted) expect(readFileSync(join(referenceFolder, name), 'utf8'), name).toBe(text);
});

test('there is a page for each operation, event, record, rule and limit, and each names its source', async () => {
  const pages = await pagesOf();
  const ids = pages.map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([
      'operation POST /subscriptions',
      'event email.opened',
      'record privacy-requests',
      'rule subscriptions.phone-e164',
      'rule catalog.not-utf8',
      'limit deliveries.timeout',
    ]),
  );
  expect(pages.filter(({ source, says }) => source === '' || says === '')).toEqual([]);
  expect(
    pages.filter(({ provenance, reason, kind }) => kind === 'limit' && provenance === 'assumed' && !reason),
  ).toEqual([]);
  const related = pages.flatMap((page) => page.related.map(({ kind, id }) => `${kind} ${id}`));
  expect(related.filter((one) => !ids.includes(one))).toEqual([]);
});

test('an operation lists the rules by which it refuses, and each rule its operations', async () => {
  const pages = await pagesOf();
  const relatedTo = (kind: string, id: string) =>
    pages.find((one) => one.kind === kind && one.id === id)?.related.map((one) => one.id);
  expect(relatedTo('operation', 'DELETE /webhooks/{webhookId}')).toEqual(['webhooks.unknown']);
  expect(relatedTo('operation', 'GET /webhooks')).toEqual([]);
  expect(relatedTo('rule', 'webhooks.event-type')).toEqual([
    'POST /webhooks',
    'PUT /webhooks/{webhookId}',
    'POST /graphql',
  ]);
  // The others refuse an act by hand, a connection, or an upload to the object store.
  const ofRequests = new Set(violations.filter(({ request }) => request !== undefined).map(({ rule }) => rule));
  const alone = pages.filter(
    ({ kind, id, related, facts }) =>
      kind === 'rule' && ofRequests.has(id) && related.length === 0 && !facts.some(({ name }) => name === 'Refuses'),
  );
  expect(alone.map(({ id }) => id)).toEqual([]);
});

/** Examples that name a record that only an earlier answer can name. */
const notAccepted: { readonly [operation: string]: string } = {
  'PUT /webhooks/{webhookId}': '404',
  'DELETE /webhooks/{webhookId}': '404',
  'GET /privacy/delete-request/{id}': '404',
  'GET /product-catalog/uploads/{uploadId}': '404',
  'GET /l/{id}': '404',
  'POST /authorization-codes/tokens': '400',
};

/** Only a browser sends them, or they need an address from an answer. */
const withoutExample = ['GET /graphql', 'POST /integrations/oauth-install', 'PUT /object-storage/{key}'];

test('an operation says all with which it may refuse, and what it needs', async () => {
  const pages = await pagesOf();
  const page = (id: string) => pages.find((one) => one.kind === 'operation' && one.id === id);
  const saidOf = (id: string, name: string) => page(id)?.facts.find((fact) => fact.name === name)?.value;
  const document = (await sandbox.control('GET', '/control/openapi.json')).body as {
    readonly paths: { readonly [path: string]: { readonly post: { readonly responses: object } } };
  };
  const refusals = Object.keys(document.paths['/subscriptions']?.post.responses ?? {}).filter((one) => one >= '400');
  const lines = saidOf('POST /subscriptions', 'Refuses with')?.split('\n');
  expect(lines?.map((line) => line.slice(0, 3))).toEqual(refusals);
  expect(refusals).toEqual(['400', '401', '403', '404', '413', '415', '429', '500']);

  const install = page('GET /integrations/oauth-install');
  expect(install?.fields[0]?.rows.map(({ name, required }) => [name, required])).toEqual([
    ['client_id', true],
    ['redirect_uri', true],
    ['scope', false],
    ['state', false],
    ['response_type', false],
  ]);
  expect(saidOf('GET /integrations/oauth-install', 'Limit')).toBeUndefined();
  expect(saidOf('GET /integrations/oauth-install', 'Refuses with')).toBe('500 Internal Server Error');
});

test('the example of each operation runs in a shell, and the demo world accepts it', async () => {
  const operations = (await pagesOf()).filter(({ kind }) => kind === 'operation');
  const wrong: string[] = [];
  for (const { id, examples } of operations) {
    if (withoutExample.includes(id)) {
      expect(examples, id).toEqual([]);
      continue;
    }
    const { stdout } = await run('bash', ['-c', `${examples[0]?.text} -s -o /dev/null -w '%{http_code}'`]);
    if (!stdout.startsWith(notAccepted[id] ?? '2')) wrong.push(`${id}: ${stdout}`);
  }
  expect(wrong).toEqual([]);
});

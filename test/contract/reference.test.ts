import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ReferencePage } from '../../emulator/control/contract/reference.ts';
import { useSandbox } from '../support/sandbox.ts';
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

/** Examples that name a record that only an earlier answer can name, and what is for browsers. */
const notAccepted: { readonly [operation: string]: string } = {
  'PUT /webhooks/{webhookId}': '404',
  'DELETE /webhooks/{webhookId}': '404',
  'GET /privacy/delete-request/{id}': '404',
  'GET /product-catalog/uploads/{uploadId}': '404',
  'GET /l/{id}': '404',
  'POST /authorization-codes/tokens': '400',
  'GET /graphql': '405',
  'GET /integrations/oauth-install': '400',
  'POST /integrations/oauth-install': '403',
};

test('the example of each operation runs in a shell, and the demo world accepts it', async () => {
  const operations = (await pagesOf()).filter(({ kind }) => kind === 'operation');
  const wrong: string[] = [];
  for (const { id, examples } of operations) {
    const { stdout } = await run('bash', ['-c', `${examples[0]?.text} -s -o /dev/null -w '%{http_code}'`]);
    if (!stdout.startsWith(notAccepted[id] ?? '2')) wrong.push(`${id}: ${stdout}`);
  }
  expect(wrong).toEqual([]);
});

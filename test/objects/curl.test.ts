import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { startObjectStore } from './object-store.ts';

async function start(...options: Parameters<typeof startObjectStore>) {
  const store = await startObjectStore(...options);
  await writeFile(join(store.folder, 'products.ndjson'), Buffer.alloc(3_000_000, '{"id":"1"}\n'));
  return store;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Status code, body and exit code of one run. */
function curl(cwd: string, ...args: string[]): Promise<{ status: string; body: string; exit: number; log: string }> {
  return new Promise((resolve) => {
    const child = execFile('curl', ['-sSv', '-w', '\n%{http_code}', ...args], { cwd }, (_error, stdout, stderr) => {
      const at = stdout.lastIndexOf('\n');
      resolve({ status: stdout.slice(at + 1), body: stdout.slice(0, at), exit: child.exitCode ?? -1, log: stderr });
    });
  });
}

test.runIf(hasCurl)('curl -T stores a file', async () => {
  const store = await start();
  const run = await curl(store.folder, '-T', 'products.ndjson', store.url);
  expect(run).toMatchObject({ status: '200', body: '', exit: 0 });
  expect(run.log).toContain('100 Continue');
  expect(store.stored).toMatchObject([{ bytes: 3_000_000 }]);
});

test.runIf(hasCurl)('curl stores a file in chunks', async () => {
  const store = await start();
  const run = await curl(store.folder, '-H', 'Transfer-Encoding: chunked', '-T', 'products.ndjson', store.url);
  expect(run).toMatchObject({ status: '200', body: '', exit: 0 });
  expect(store.stored).toMatchObject([{ bytes: 3_000_000 }]);
});

test.runIf(hasCurl)('curl sees why its file is refused, and sends nothing of it', async () => {
  const store = await start();
  const run = await curl(store.folder, '-T', 'products.ndjson', store.url.replace('UPLOAD1', 'UPLOAD2'));
  expect(run).toMatchObject({ status: '403', exit: 0 });
  expect(run.body).toContain('<Code>SignatureDoesNotMatch</Code>');
  expect(run.log).not.toContain('100 Continue');
});

test.runIf(hasCurl)('curl sees why its file is refused even if it does not ask first', async () => {
  const store = await start({ maxBytes: 1000 });
  const run = await curl(store.folder, '-H', 'Expect:', '-T', 'products.ndjson', store.url);
  expect(run).toMatchObject({ status: '400', exit: 0 });
  expect(run.body).toContain('<Code>EntityTooLarge</Code>');
});

test.runIf(hasCurl)('curl sees why a chunked file is cut', async () => {
  const store = await start({ maxBytes: 1000 });
  const run = await curl(store.folder, '-H', 'Transfer-Encoding: chunked', '-T', 'products.ndjson', store.url);
  expect(run).toMatchObject({ status: '400', exit: 0 });
  expect(run.body).toContain('<Code>EntityTooLarge</Code>');
});

test.runIf(hasCurl)('curl -F is told to send the file itself', async () => {
  const store = await start();
  const run = await curl(store.folder, '-X', 'PUT', '-F', 'file=@products.ndjson', store.url);
  expect(run).toMatchObject({ status: '400', exit: 0 });
  expect(run.body).toContain('curl -T FILE');
  expect(store.stored).toEqual([]);
});

test.runIf(hasCurl)('curl without a file is told that one is missing', async () => {
  const store = await start();
  const run = await curl(store.folder, '-X', 'PUT', store.url);
  expect(run).toMatchObject({ status: '411', exit: 0 });
});

import { createHash } from 'node:crypto';
import type { Sandbox } from '../support/sandbox.ts';
import type { Violation } from './violation.ts';

const put = { method: 'PUT', path: '/object-storage/catalog/nothing.ndjson', key: null, raw: '{"id":"1"}\n' } as const;
const again = 'Only another upload can take the file.';
const wrapped = 'Without the header alone, what is around the file would be stored with it.';
const unissued = 'No upload has that key, so there is no right URL to propose.';

/** Path and query of an upload's URL. */
async function initiate(sandbox: Sandbox): Promise<string> {
  const { body } = await sandbox.call('POST', '/product-catalog/uploads');
  const { pathname, search } = new URL((body as { uploadUrl: string }).uploadUrl);
  return pathname + search;
}

/** The URL of an upload after a change. */
const changed = (change: (path: string) => string) => async (sandbox: Sandbox) => ({
  path: change(await initiate(sandbox)),
});
const sha1 = createHash('sha1').update(put.raw).digest('base64');
const unchanged = changed((path) => path);

export const objectViolations: readonly Violation[] = [
  { rule: 'objects.method', request: { ...put, method: 'DELETE', raw: '' }, before: unchanged },
  { rule: 'objects.path', request: { ...put, path: '/object-storage/' }, noEdit: unissued },
  {
    rule: 'objects.key',
    request: put,
    noEdit: unissued,
    async before(sandbox) {
      const path = await initiate(sandbox);
      const { store } = sandbox.emulator.deps;
      const [upload] = [...store.uploads.all()];
      store.transact(() => store.uploads.delete(upload?.id ?? ''));
      return { path };
    },
  },
  { rule: 'objects.permission', request: put, before: changed((path) => path.replace(/&.*/, '')) },
  { rule: 'objects.permission', request: put, noEdit: unissued },
  { rule: 'objects.query', request: put, before: changed((path) => path.replace(/Expires=\d+/, 'Expires=soon')) },
  { rule: 'objects.query', request: put, before: changed((path) => `${path}&X-Sandbox-Expires=9`) },
  { rule: 'objects.signature', request: put, before: changed((path) => path.slice(0, -1)) },
  {
    rule: 'objects.expired',
    request: put,
    noEdit: again,
    async before(sandbox) {
      const path = await initiate(sandbox);
      await sandbox.emulator.deps.clock.advance(365 * 86_400_000);
      return { path };
    },
  },
  {
    rule: 'objects.upload-expired',
    request: put,
    noEdit: again,
    async before(sandbox) {
      const path = await initiate(sandbox);
      const [upload] = [...sandbox.emulator.deps.store.uploads.all()];
      sandbox.emulator.deps.uploads.fire(upload?.id ?? '', 'expire', { by: 'hand' });
      return { path };
    },
  },
  {
    rule: 'objects.stored',
    request: put,
    noEdit: again,
    async before(sandbox) {
      const path = await initiate(sandbox);
      await sandbox.call('PUT', path, { key: null, raw: put.raw });
      const { store } = sandbox.emulator.deps;
      const isChecked = () => [...store.uploads.all()].some(({ state }) => state === 'validated');
      while (!isChecked()) await sandbox.emulator.deps.clock.advance(1);
      return { path };
    },
  },
  {
    rule: 'objects.plain-file',
    request: { ...put, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    before: unchanged,
    noEdit: wrapped,
  },
  {
    rule: 'objects.plain-file',
    request: { ...put, headers: { 'content-range': 'bytes 0-1/2' } },
    before: unchanged,
    noEdit: wrapped,
  },
  { rule: 'objects.digest-form', request: { ...put, headers: { 'content-md5': 'abc' } }, before: unchanged },
  {
    rule: 'objects.digest',
    request: { ...put, headers: { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' } },
    before: unchanged,
  },
  ...(
    [
      ['objects.digest', { 'x-amz-checksum-crc32': 'AAAAAA==' }],
      ['objects.digest', { 'x-amz-checksum-crc32c': 'AAAAAA==', 'x-amz-sdk-checksum-algorithm': 'CRC32C' }],
      ['objects.checksum-form', { 'x-amz-checksum-sha256': 'AAAAAA==' }],
      ['objects.one-checksum', { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-crc32c': 'AAAAAA==' }],
      ['objects.checksum-algorithm', { 'x-amz-sdk-checksum-algorithm': 'CRC32' }],
      ['objects.checksum-algorithm', { 'x-amz-checksum-sha1': sha1, 'x-amz-sdk-checksum-algorithm': 'SHA256' }],
      ['objects.payload-form', { 'x-amz-content-sha256': 'UNSIGNED' }],
      ['objects.payload', { 'x-amz-content-sha256': '0'.repeat(64) }],
    ] as const
  ).map(([rule, headers]): Violation => ({ rule, request: { ...put, headers }, before: unchanged })),
];

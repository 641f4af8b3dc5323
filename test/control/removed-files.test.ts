/** A reset, an undo or a newer file may remove a file while a call reads it. */
import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { NewUploadView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { product, toFile } from '../catalog/support.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { addCodes } from '../support/world.ts';

/** A sandbox with an upload that was checked, and an offer with codes. */
async function opened(): Promise<{ readonly sandbox: Sandbox; readonly uploadId: string }> {
  const sandbox = await startSandbox({ pace: 'manual' });
  onTestFinished(() => sandbox.close());
  const made = await sandbox.control('POST', '/control/uploads', { companyId: demoCompany, validateOnly: false });
  const { id } = made.body as NewUploadView;
  await fetch(`${sandbox.emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${sandbox.emulator.token}` },
    body: toFile([product('a'), 'x']),
  });
  const check = (): Promise<{ readonly status: number }> =>
    sandbox.control('POST', `/control/records/uploads/${id}/moves`, { event: 'checked' });
  await expect.poll(async () => (await check()).status).toBe(200);
  return { sandbox, uploadId: id };
}

/** From now on each file of the blobs is removed just before it is opened. */
function removeWhenRead({ emulator }: Sandbox): void {
  const { blobs } = emulator.deps.store;
  const { read, readList } = blobs;
  blobs.readList = (kind, id) => {
    rmSync(blobs.path(kind, id), { force: true });
    return readList(kind, id);
  };
  blobs.read = (kind, id, reading) =>
    read(kind, id, (path) => {
      rmSync(path, { recursive: true, force: true });
      return reading(path);
    });
}

test('a line of a file that is removed while it is read is answered as one of a file that is not kept', async () => {
  const { sandbox, uploadId } = await opened();
  expect((await sandbox.control('GET', `/control/uploads/${uploadId}/lines/2`)).status).toBe(200);
  removeWhenRead(sandbox);
  const { status, body } = await sandbox.control('GET', `/control/uploads/${uploadId}/lines/2`);
  expect([status, (body as { refusal: { rule: string } }).refusal.rule]).toEqual([409, 'uploads.not-kept']);
});

test('issues and changes of files that are removed while they are read are those that are known without them', async () => {
  const { sandbox, uploadId } = await opened();
  const read = async (what: string): Promise<unknown> =>
    (await sandbox.control('GET', `/control/uploads/${uploadId}/${what}`)).body;
  expect(await read('issues')).toMatchObject({ total: 1, kept: 1 });
  expect(await read('changes')).toMatchObject({ changes: [{ id: 'a' }] });
  removeWhenRead(sandbox);
  expect(await read('issues')).toMatchObject({ total: 1 });
  expect(await read('changes')).toMatchObject({ changes: [] });
});

test('codes whose file is removed while it is read are not listed', async () => {
  const { sandbox } = await opened();
  const codes = async (): Promise<unknown> => (await sandbox.control('GET', '/control/offers/54102/codes')).body;
  await addCodes(sandbox, ['ONE', 'TWO']);
  const before = await codes();
  removeWhenRead(sandbox);
  expect(await codes()).toEqual({ total: 0, codes: [] });
  expect(before).not.toEqual({ total: 0, codes: [] });
});

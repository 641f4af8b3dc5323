import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { NewUploadView } from '../../emulator/control/calls.ts';
import { product, toFile } from '../catalog/support.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

async function opened(): Promise<Sandbox> {
  const sandbox = await startSandbox({ pace: 'manual' });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** An upload whose file was checked, and is not saved yet. */
async function checked(sandbox: Sandbox, file: string): Promise<string> {
  const { body } = await sandbox.control('POST', '/control/uploads', { companyId: demoCompany, validateOnly: false });
  const { id } = body as NewUploadView;
  const sent = await fetch(`${sandbox.emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${sandbox.emulator.token}` },
    body: file,
  });
  expect(sent.status).toBe(204);
  await expect.poll(() => sandbox.emulator.deps.store.uploads.get(id)?.report).not.toBeNull();
  await moved(sandbox, id, 'checked');
  return id;
}

const moved = async (sandbox: Sandbox, id: string, event: string): Promise<unknown> =>
  (await sandbox.control('POST', `/control/records/uploads/${id}/moves`, { event })).body;

test('an upload that a snapshot brought back is saved, though another one was saved after the snapshot was made', async () => {
  const sandbox = await opened();
  const id = await checked(sandbox, toFile([product('a')]));
  await sandbox.control('POST', '/control/snapshots', { name: 'checked' });
  const other = await checked(sandbox, toFile([product('b')]));
  expect(await moved(sandbox, other, 'save')).toMatchObject({ state: 'completed' });
  await sandbox.control('POST', '/control/snapshots/checked/restore');
  expect(await moved(sandbox, id, 'save')).toMatchObject({ state: 'completed', record: { productsProcessed: 1 } });
});

test.runIf(process.platform === 'linux')(
  'a file that the API refuses when it is sent again is not left open',
  async () => {
    const sandbox = await opened();
    const { store } = sandbox.emulator.deps;
    const id = await checked(sandbox, toFile([product('a', { description: 'x'.repeat(3_000_000) })]));
    await sandbox.control('POST', '/control/faults', { operation: 'PUT /object-storage/{key}', status: 503 });
    const again = await sandbox.control('POST', `/control/uploads/${id}/again`);
    expect(again).toMatchObject({
      status: 409,
      body: { refusal: { rule: 'uploads.refused', facts: { status: 503 } } },
    });
    const open = '/proc/self/fd';
    const openFiles = (): readonly string[] =>
      readdirSync(open).flatMap((number) => {
        try {
          return readlinkSync(join(open, number));
        } catch {
          // The one that listed them.
          return [];
        }
      });
    await expect.poll(openFiles).not.toContain(store.blobs.path('upload-seen', id));
  },
);

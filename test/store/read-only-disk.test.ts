import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type * as Files from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';

// What runs before each file has loaded a part of the emulator already, with the module that is replaced here.
vi.hoisted(() => void vi.resetModules());

const { readOnly } = vi.hoisted(() => ({ readOnly: new Set<string>() }));

/** A disk that can only be read, as Node 20 shows it: with `recursive` it says of a new folder that there is none. */
vi.mock('node:fs', async (original) => {
  const files = await original<typeof Files>();
  const mkdirSync: typeof files.mkdirSync = (path: Files.PathLike, options?: unknown): undefined => {
    if ([...readOnly].some((folder) => String(path).startsWith(folder + sep))) {
      const code = (options as Files.MakeDirectoryOptions | undefined)?.recursive === true ? 'ENOENT' : 'EROFS';
      throw Object.assign(new Error(`${code}: it is refused, mkdir '${String(path)}'`), { code, syscall: 'mkdir' });
    }
    files.mkdirSync(path, options as Files.MakeDirectoryOptions);
  };
  return { ...files, default: { ...files, mkdirSync }, mkdirSync };
});

test('the first snapshot on a disk that can only be read is refused with what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-read-only-'));
  const sandbox = await startSandbox({ dataDir });
  onTestFinished(async () => {
    readOnly.clear();
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  readOnly.add(dataDir);
  expect(await sandbox.control('POST', '/control/snapshots', { name: 'first' })).toMatchObject({
    status: 507,
    body: { message: expect.stringMatching(/EROFS.*Make the disk writable, or choose another folder with --data/) },
  });
});

import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as Files from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { newFolder } from './support.ts';

// What runs before each file has loaded a part of the emulator already, with the module that is replaced here.
vi.hoisted(() => void vi.resetModules());

const { refused } = vi.hoisted(() => ({ refused: new Map<string, string>() }));

/** The system refuses what is to be done with the files that have these names. A file that is written is there all the same, and empty. */
vi.mock('node:fs', async (original) => {
  const files = await original<typeof Files>();
  const check = (path: unknown, syscall: string): void => {
    const code = refused.get(`${syscall} ${basename(String(path))}`);
    if (code !== undefined) throw Object.assign(new Error(`${code}: it is refused, ${syscall}`), { code, syscall });
  };
  const mkdirSync = (path: Files.PathLike, options?: Files.MakeDirectoryOptions): unknown => {
    check(path, 'mkdir');
    return files.mkdirSync(path, options);
  };
  const writeFileSync: typeof files.writeFileSync = (path, data, options) => {
    files.writeFileSync(path, '', options);
    check(path, 'write');
    files.writeFileSync(path, data);
  };
  const readFileSync = ((path: Files.PathOrFileDescriptor, options?: BufferEncoding) => {
    check(path, 'read');
    return files.readFileSync(path, options);
  }) as typeof files.readFileSync;
  const replaced = { ...files, mkdirSync, writeFileSync, readFileSync };
  return { ...replaced, default: replaced };
});

/** What the system refuses until the test has ended. */
function refuse(refusals: Readonly<Record<string, string>>): void {
  for (const [what, code] of Object.entries(refusals)) refused.set(what, code);
  onTestFinished(() => refused.clear());
}

test.each(['mkdir requests', 'write control-token.tmp', 'write control.json.tmp'])(
  'a first start on a disk that is full at "%s" says so with what to do, and leaves no folder',
  async (what) => {
    const above = newFolder();
    const dataDir = join(above, 'data');
    refuse({ [what]: 'ENOSPC' });
    await expect(startSandbox({ dataDir })).rejects.toMatchObject({
      code: 'unwritable',
      message: expect.stringMatching(
        /^The data folder .*data cannot be used \(ENOSPC: .*\)\. (?:Free some disk space|Remove some files from the disk), choose another one with --data, or use --memory\.$/,
      ),
    });
    expect(existsSync(above)).toBe(false);
  },
);

test('a start that fails says why, also where its end fails too', async () => {
  const dataDir = newFolder();
  const notices: string[] = [];
  refuse({ 'write control.json.tmp': 'ENOSPC', 'read control.json': 'EMFILE' });
  await expect(startSandbox({ dataDir, onNotice: (text) => notices.push(text) })).rejects.toThrow('(ENOSPC: ');
  expect(notices).toEqual(['It could not end cleanly: EMFILE: it is refused, read']);
  expect(existsSync(dataDir)).toBe(false);
});

test('a start that fails leaves in a folder that was there what it stored, and the next one opens that', async () => {
  const dataDir = newFolder();
  mkdirSync(dataDir);
  refuse({ 'write control.json.tmp': 'ENOSPC' });
  await expect(startSandbox({ dataDir })).rejects.toThrow('(ENOSPC: ');
  refused.clear();
  const notices: string[] = [];
  const second = await startSandbox({ dataDir, onNotice: (text) => notices.push(text) });
  onTestFinished(second.close);
  expect((await second.call('GET', '/me')).status).toBe(200);
  expect(notices).toEqual([]);
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  makeTemporaryFolder,
  removeAbandonedFolders,
  removeTemporaryFolder,
} from '../../emulator/store/temporary-folders.ts';

test.runIf(process.platform === 'linux')(
  'a start removes the folders of ended processes, and none of a process that runs, here or in another container',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'temporary-'));
    vi.stubEnv('TMPDIR', root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(root, { recursive: true });
    });
    const mine = makeTemporaryFolder();
    const [, pid, namespace, start] = basename(mine).split('-');
    expect(Number(pid)).toBe(process.pid);
    const ended = `sandpiper-4194399-${namespace}-${start}-AbCdEf`;
    const earlier = `sandpiper-${pid}-${namespace}-${Number(start) - 1}-AbCdEf`;
    const elsewhere = `sandpiper-4194399-${Number(namespace) + 1}-${start}-AbCdEf`;
    for (const name of [ended, earlier, elsewhere]) mkdirSync(join(root, name));
    removeAbandonedFolders();
    expect(readdirSync(root).toSorted()).toEqual([basename(mine), elsewhere].toSorted());
    removeTemporaryFolder(mine);
    expect(readdirSync(root)).toEqual([elsewhere]);
  },
);

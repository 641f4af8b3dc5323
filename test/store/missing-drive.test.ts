import type * as Paths from 'node:path';
import { expect, test, vi } from 'vitest';
import { lookAtFolder } from '../../emulator/commands/start-checks.ts';
import { open } from './support.ts';

/** Only Windows has drives, and only with its paths a folder has none above it that exists. */
vi.mock('node:path', async (original) => (await original<typeof Paths>()).win32);

test.for([
  ['Q:\\notes\\sand piper', 'Q:\\'],
  ['\\\\server\\share\\data', '\\\\server\\share\\'],
])('a data folder on a drive that is not there is refused: %o', async ([folder = '', drive = '']) => {
  await expect(open(folder)).rejects.toThrow(
    `The data folder ${folder} cannot be made (there is no drive or share ${drive}). Connect it, choose another folder with --data, or use --memory.`,
  );
  expect(lookAtFolder(folder)).toEqual({
    ok: false,
    says: `${folder} cannot be made: there is no drive or share ${drive}. Connect it, or choose a folder with --data.`,
  });
});

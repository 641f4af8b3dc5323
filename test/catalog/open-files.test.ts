import type * as Files from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkFile } from '../../emulator/features/catalog/check/check-file.ts';
import { mergeProducts } from '../../emulator/features/catalog/saved/merge.ts';
import { freshFolder, product, toFile, variant } from './support.ts';

/** Windows replaces no file that is open, by whatever name. */
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>();
  const open = '/proc/self/fd';
  const toId = (path: string): string => {
    const { dev, ino } = real.statSync(path);
    return `${dev} ${ino}`;
  };
  const openFiles = (): readonly string[] =>
    real.readdirSync(open).flatMap((name) => (real.existsSync(join(open, name)) ? toId(join(open, name)) : []));
  return {
    ...real,
    renameSync: (from: string, to: string) => {
      if (real.existsSync(to) && openFiles().includes(toId(to)))
        throw Object.assign(new Error(`${to} is open`), { code: 'EPERM' });
      real.renameSync(from, to);
    },
  };
});

test.runIf(process.platform === 'linux')('a good file that is a second name of the file is written again', async () => {
  const folder = await freshFolder();
  const [path, issuesPath, goodPath] = [join(folder, 'file'), join(folder, 'issues'), join(folder, 'good')];
  await writeFile(path, toFile([product('c', { variants: [variant('shared')] }), product('d')]));
  expect(await checkFile({ path, issuesPath, goodPath, savedDir: null })).toMatchObject({ goodLines: 2 });
  // Meanwhile another product is saved that has the same variant.
  const savedDir = join(folder, 'saved');
  const other = join(folder, 'other');
  await mkdir(savedDir);
  await writeFile(other, toFile([product('a', { variants: [variant('shared')] })]));
  await mergeProducts({ dir: savedDir, goodPath: other });
  expect(await checkFile({ path, issuesPath, goodPath, savedDir })).toMatchObject({ goodLines: 1 });
  expect(await readFile(goodPath, 'utf8')).toBe(toFile([product('d')]));
});

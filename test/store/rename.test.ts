import { readFileSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { newFolder, open, put } from './support.ts';

/** What the next renames fail with: Windows does that while a virus scanner has the file open, and no other system can. */
const failures = vi.hoisted((): string[] => []);

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>();
  return {
    ...real,
    rename: (from: string, to: string) => {
      const code = failures.shift();
      return code === undefined ? real.rename(from, to) : Promise.reject(Object.assign(new Error(code), { code }));
    },
  };
});

afterEach(() => void failures.splice(0));

test('a rename that the system briefly refuses is retried', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  failures.push('EPERM', 'EBUSY', 'EACCES');
  await store.snapshot();
  expect(failures).toEqual([]);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('"id":"a"');
});

test('a rename that fails for another reason is reported at once', async () => {
  const store = await open(newFolder());
  put(store, 'a');
  failures.push('EIO', 'not asked for');
  await expect(store.snapshot()).rejects.toThrow('The state could not be saved (EIO). The journal still has');
  expect(failures).toEqual(['not asked for']);
});

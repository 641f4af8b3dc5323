import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openBlobs } from '../../emulator/store/blobs.ts';
import { freshFolder } from '../support/world.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

test('a copy shares its files with the blobs, and keeps what they replace, change or remove', async () => {
  const blobs = openBlobs(freshFolder());
  for (const id of ['same', 'replaced', 'longer', 'gone']) writeFileSync(blobs.path('codes', id), id);
  mkdirSync(blobs.path('products', 'c'));
  writeFileSync(join(blobs.path('products', 'c'), 'inner'), 'inner');
  const copy = blobs.copy();
  if (process.platform !== 'win32') expect(statSync(blobs.path('codes', 'same')).nlink).toBe(2);

  const temp = blobs.createTemp('codes');
  writeFileSync(temp, 'new');
  await blobs.keep(temp, 'codes', 'replaced');
  blobs.append('codes', 'longer', ' than before');
  await blobs.remove('codes', 'gone');
  await blobs.remove('products', 'c');
  writeFileSync(blobs.path('codes', 'later'), 'later');
  expect(read(blobs.path('codes', 'longer'))).toBe('longer than before');

  const prepared = blobs.prepare(copy, 1);
  prepared.commit();
  prepared.discard();
  copy.release();
  expect([...blobs.list('codes')].sort()).toEqual(['gone', 'longer', 'replaced', 'same']);
  for (const id of blobs.list('codes')) expect(read(blobs.path('codes', id))).toBe(id);
  expect(read(join(blobs.path('products', 'c'), 'inner'))).toBe('inner');
  await blobs.close();
});

test('a file that is still being received is in no copy, and stays through a restore', async () => {
  const blobs = openBlobs(freshFolder());
  const temp = blobs.createTemp('uploads');
  writeFileSync(temp, 'half');
  const copy = blobs.copy();
  const prepared = blobs.prepare(copy, 1);
  prepared.commit();
  prepared.discard();
  expect(read(temp)).toBe('half');
  expect(copy.has('uploads', temp.split(/[\\/]/).at(-1) ?? '')).toBe(false);
  await blobs.close();
});

test('a temporary file to which nothing was written yet stays through a restore, too', async () => {
  const blobs = openBlobs(freshFolder());
  const temp = blobs.createTemp('uploads');
  const prepared = blobs.prepare(blobs.stage(), 1);
  prepared.commit();
  await prepared.discard();
  expect(read(temp)).toBe('');
  await blobs.close();
});

test('closing waits until the files of released copies are removed', async () => {
  const blobs = openBlobs(freshFolder());
  for (let at = 0; at < 2_000; at += 1) writeFileSync(blobs.path('codes', String(at)), 'a');
  blobs.copy().release();
  await blobs.close();
  // The last request to the file system ends with this turn of the event loop; a removal that goes on would have more.
  await setImmediate();
  expect(process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq'))).toEqual([]);
});

test('a released copy is refused', async () => {
  const blobs = openBlobs(freshFolder());
  const copy = blobs.copy();
  copy.release();
  expect(() => blobs.prepare(copy, 1)).toThrow('was released');
  await blobs.close();
});

test('copies that a kill left are removed at the next start', async () => {
  const folder = freshFolder();
  writeFileSync(openBlobs(folder).path('codes', 'a'), 'a');
  openBlobs(folder).copy();
  expect(readdirSync(join(folder, 'held'))).toHaveLength(1);
  await openBlobs(folder).close();
  expect(existsSync(join(folder, 'held'))).toBe(false);
});

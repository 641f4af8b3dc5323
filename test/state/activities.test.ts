import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createActivities } from '../../emulator/world/activities.ts';

test('the file of what was done by hand stays small while a process runs, and has the newest entries', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-activities-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const open = () =>
    createActivities({
      store: { dataDir, checkFolder() {}, onCommit: () => () => {} },
      onProblem: (text) => expect.fail(text),
    });
  const first = open();
  for (let at = 1; at <= 9_000; at += 1)
    first.add(
      { wallAt: at, kind: 'clock', says: `${at}`, person: null, companyId: null, touched: [], move: null },
      { id: `undo_${at}`, isUndo: false },
      at,
    );
  first.mark(['undo_9000'], true);
  await first.written();
  const lines = readFileSync(join(dataDir, 'activities.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.length).toBeLessThan(4_001);
  expect(open().all()).toEqual(first.all());
});

test('while the file is written again, the one before it stays whole', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-activities-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const activities = createActivities({
    store: { dataDir, checkFolder() {}, onCommit: () => () => {} },
    onProblem: (text) => expect.fail(text),
  });
  for (const at of [1, 2])
    activities.add(
      { wallAt: at, kind: 'clock', says: `${at}`, person: null, companyId: null, touched: [], move: null },
      { id: `undo_${at}`, isUndo: false },
      at,
    );
  await activities.written();
  const path = join(dataDir, 'activities.ndjson');
  // Another name of the same file: what is written into it is seen here, a file in its place is not.
  linkSync(path, join(dataDir, 'before'));
  const before = readFileSync(path, 'utf8');
  activities.takeOut(activities.all().slice(0, 1));
  await activities.written();
  expect(readFileSync(join(dataDir, 'before'), 'utf8')).toBe(before);
  expect(readFileSync(path, 'utf8')).not.toBe(before);
  expect(readdirSync(dataDir).toSorted()).toEqual(['activities.ndjson', 'before']);
});

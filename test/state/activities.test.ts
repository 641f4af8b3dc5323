import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
      `undo_${at}`,
      at,
    );
  first.mark(['undo_9000'], true);
  await first.end();
  const lines = readFileSync(join(dataDir, 'activities.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.length).toBeLessThan(4_001);
  expect(open().all()).toEqual(first.all());
});

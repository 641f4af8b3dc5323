import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from './sandbox.ts';

/** A sandbox on a full disk: its next journals are a device that refuses every write. Linux only. */
export async function onFullDisk(): Promise<Sandbox & { makeRoom(): void }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-full-'));
  const sandbox = await startSandbox({ dataDir });
  const { store, clock } = sandbox.emulator.deps;
  clock.freeze(true);
  await store.snapshot();
  const present = readdirSync(dataDir).flatMap((name) => /^journal-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
  const first = Math.max(0, ...present.map(Number)) + 1;
  const links = Array.from({ length: 30 }, (_link, at) => join(dataDir, `journal-${first + at}.ndjson`));
  for (const link of links) symlinkSync('/dev/full', link);
  const makeRoom = (): void => links.forEach((link) => rmSync(link, { force: true }));
  onTestFinished(async () => {
    makeRoom();
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { ...sandbox, makeRoom };
}

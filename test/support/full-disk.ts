import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from './sandbox.ts';

interface FullDisk extends Sandbox {
  makeRoom(): void;
  /** Fills the disk again, after room was made. */
  fill(): Promise<void>;
}

/** A sandbox on a full disk: its next journals are a device that refuses every write. Linux only. */
export async function onFullDisk(): Promise<FullDisk> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-full-'));
  const sandbox = await startSandbox({ dataDir });
  const { store, clock } = sandbox.emulator.deps;
  clock.freeze(true);
  let links: readonly string[] = [];
  const makeRoom = (): void => links.forEach((link) => rmSync(link, { force: true }));
  const fill = async (): Promise<void> => {
    await store.snapshot();
    const present = readdirSync(dataDir).flatMap((name) => /^journal-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
    const first = Math.max(0, ...present.map(Number)) + 1;
    links = Array.from({ length: 30 }, (_link, at) => join(dataDir, `journal-${first + at}.ndjson`));
    for (const link of links) symlinkSync('/dev/full', link);
  };
  await fill();
  onTestFinished(async () => {
    makeRoom();
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { ...sandbox, makeRoom, fill };
}

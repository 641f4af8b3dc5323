import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ByProject } from './test/support/by-project.ts';

/** What runs the built app as processes of its own. */
const processes = [
  'test/cli/**/*.test.ts',
  'test/docs/run.test.ts',
  'test/docs/shop.test.ts',
  'test/mcp/**/*.test.ts',
  'test/packaging/**/*.test.ts',
  'test/production/**/*.test.ts',
  'test/promises/serve.test.ts',
  'test/record/outlives.test.ts',
  'test/snapshots/transfer.test.ts',
  'test/testing/package.test.ts',
  'test/testing/runners.test.ts',
];
/** What replaces a module or the timers: each file in a worker of its own. */
const replacing = [
  'test/catalog/open-files.test.ts',
  'test/clock/real-time.test.ts',
  'test/electron/**/*.test.ts',
  'test/records/made-up-served.test.ts',
  'test/store/failed-start.test.ts',
  'test/store/missing-drive.test.ts',
  'test/store/read-only-disk.test.ts',
  'test/store/rename.test.ts',
  'test/testing/faked-globals.test.ts',
];
const inBrowser = ['test/inspector/**/*.test.ts'];

/**
 * Folders in memory are made and removed thirty times faster. Not for what runs programs from them: it may be mounted so that none
 * can be run.
 */
const temporary = hasSpace('/dev/shm') ? { TMPDIR: '/dev/shm' } : {};

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 4 * 1024 ** 3;
  } catch {
    return false;
  }
}

export default defineConfig({
  // The examples import the test library as its users do; here they get its source, without a build.
  resolve: {
    alias: {
      'sandpiper/config': resolve(import.meta.dirname, 'emulator/config.ts'),
      'sandpiper/testing': resolve(import.meta.dirname, 'emulator/testing.ts'),
    },
  },
  test: {
    environment: 'node',
    // Every server that a test starts, in whatever process, checks what it replies (emulator/options.ts).
    env: { SANDPIPER_CHECK_REPLIES: '1' },
    setupFiles: ['test/support/own-errors.ts'],
    // Tests wait for processes, browsers and timers: with one worker for each core a third of the cores is idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Many times what they take: a busy machine makes nothing fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A test that passes the second time is broken, or what it tests is.
    retry: 0,
    sequence: { shuffle: { files: false, tests: true }, sequencer: ByProject },
    // Where files share a worker, modules are loaded once per worker; the emulator keeps no state in them.
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          isolate: false,
          env: temporary,
          globalSetup: ['test/support/bundles-build.ts', 'test/support/inspector-build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: processes,
          isolate: false,
          globalSetup: ['test/support/bundles-build.ts', 'test/support/app-build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'replacing',
          include: replacing,
          globalSetup: ['test/support/bundles-build.ts', 'test/support/app-build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...processes, ...replacing, ...inBrowser],
          isolate: false,
          env: temporary,
          globalSetup: ['test/support/bundles-build.ts'],
        },
      },
    ],
  },
});

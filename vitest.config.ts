import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The examples import the test library as its users do; here they get its source, without a build.
  resolve: { alias: { 'sandpiper/testing': resolve(import.meta.dirname, 'emulator/testing.ts') } },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    environment: 'node',
    // Its default leaves a core idle, which of two is half.
    maxWorkers: '100%',
    globalSetup: ['test/support/inspector-build.ts'],
    // Many times what they take: a busy machine makes nothing fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test that passes the second time is broken, or what it tests is.
    retry: 0,
    sequence: { shuffle: true },
  },
});

/**
 * Runs before each test file: if a process had an internal error, the test that runs when the process says so fails.
 */
import { afterAll, afterEach, vi } from 'vitest';
import { expectNoneTold } from './told-errors.ts';

// A module that is being loaded when its file ends would be missing in all later files of the worker.
afterAll(() => vi.dynamicImportSettled());
afterEach(expectNoneTold);
afterAll(expectNoneTold);

/** Before each file of tests: a process that had an internal error fails the test that runs when it says so. */
import { afterAll, afterEach, vi } from 'vitest';
import { expectNoneTold } from './told-errors.ts';

// A module that is being loaded when its file ends would be missing in all later files of the worker.
afterAll(() => vi.dynamicImportSettled());
afterEach(expectNoneTold);
afterAll(expectNoneTold);

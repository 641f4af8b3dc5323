/** Before each file of tests: a process that had an internal error fails the test that runs when it says so. */
import { afterAll, afterEach } from 'vitest';
import { expectNoneTold } from './told-errors.ts';

afterEach(expectNoneTold);
afterAll(expectNoneTold);

import { describe, test } from 'vitest';
import { styles } from '../styles.ts';

describe('styles', () => {
  // What counts is what the sandbox is told.
  // oxlint-disable-next-line vitest/expect-expect
  test.for(Object.entries(styles))('%s', async ([, send]) => void (await send()));
});

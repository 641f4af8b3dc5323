import { styles } from '../styles.ts';

// Jest's own globals are not typed here: their names are those of vitest.
declare const describe: (name: string, tests: () => void) => void;
declare const test: (name: string, run: () => Promise<void>) => void;

describe('styles', () => {
  for (const [name, send] of Object.entries(styles)) test(name, async () => void (await send()));
});

import { describe, test } from 'node:test';
import { styles } from '../styles.ts';

describe('styles', () => {
  for (const [name, send] of Object.entries(styles)) test(name, async () => void (await send()));
});

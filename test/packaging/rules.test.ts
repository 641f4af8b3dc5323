import { expect, test } from 'vitest';
import { violations } from '../rules/index.ts';
import { toRequest } from '../support/sandbox.ts';
import { serve, stop } from '../support/process.ts';

test('the build refuses by the same rules as the source', async () => {
  const served = await serve(['--memory']);
  try {
    const plain = violations.filter(({ before, options }) => !before && !options);
    expect(plain.length).toBeGreaterThan(50);
    const found: Record<string, string | null> = {};
    for (const [at, { rule, request }] of plain.entries()) {
      const { headers } = await fetch(...toRequest(served, request.method, request.path, request));
      found[`${at} ${rule}`] = headers.get('x-sandbox-rule');
    }
    expect(found).toEqual(Object.fromEntries(plain.map(({ rule }, at) => [`${at} ${rule}`, rule])));
  } finally {
    await stop(served);
  }
});

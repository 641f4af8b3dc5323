import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCodes, freshFolder, opened } from '../support/world.ts';

test.for([
  ['', 'is empty'],
  ['["A","B', 'is not complete'],
] as const)(
  'a file of codes that a power loss left as %j is named with what to do, which helps',
  async ([text, what]) => {
    const dataDir = freshFolder();
    const first = await opened({ dataDir });
    await addCodes(first, ['A', 'B']);
    await first.close();
    const sandbox = await opened({ dataDir });
    const folder = join(dataDir, 'blobs', 'codes');
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
    writeFileSync(join(folder, name), text);

    const said = `The file blobs/codes/${name} of the data folder ${what}. Put it back from a copy of the data folder, or remove it`;
    for (const path of ['/control/export', '/control/world', '/control/offers/54102/codes'])
      expect(await sandbox.control('GET', path)).toMatchObject({
        status: 507,
        body: { message: expect.stringContaining(said) },
      });
    const other = await (await opened()).control('GET', '/control/export?secrets=true');
    expect(await sandbox.control('POST', '/control/import?mode=merge', other.body)).toMatchObject({
      status: 507,
      body: { message: expect.stringContaining(said) },
    });
    const add = { json: { codes: ['C'] } };
    const refused = await sandbox.call('POST', '/coupons/coupon-pool/54102/create', add);
    expect([refused.status, refused.rule, refused.text]).toEqual([500, 'store.unsaved', expect.stringContaining(said)]);

    rmSync(join(folder, name));
    expect((await sandbox.call('POST', '/coupons/coupon-pool/54102/create', add)).status).toBeLessThan(300);
    expect((await sandbox.control('GET', '/control/export')).status).toBe(200);
    expect((await sandbox.control('POST', '/control/import?mode=merge', other.body)).status).toBe(200);
  },
);

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { refusedStart, serve } from './serve.ts';
import { newFolder } from './support.ts';

const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };

test.skipIf(process.platform !== 'linux')(
  'codes and a catalog file that are larger than the system allows say so, and what to do, and are not an internal error',
  async () => {
    const { apiUrl, child, ended } = await serve(newFolder(), { blocks: 400 });
    const send = (path: string, json: object): Promise<Response> =>
      fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(json) });
    const codes = Array.from({ length: 20_000 }, (_code, at) => `LARGE-CODE-${at}`);
    const added = await send('/coupons/coupon-pool/54102/create', { codes });
    const { uploadUrl } = (await (await send('/product-catalog/uploads', {})).json()) as { readonly uploadUrl: string };
    const stored = await fetch(uploadUrl, { method: 'PUT', body: Buffer.alloc(400_000, 'x') });
    const answers = [await added.text(), await stored.text()];
    child.kill();
    await ended;
    expect([added.status, stored.status]).toEqual([500, 500]);
    for (const text of answers)
      expect(text).toMatch(/A file is larger than the system allows \(EFBIG.*\)\. Raise the limit.*ulimit -f/);
    expect(added.headers.get('x-sandbox-rule')).toBe('store.unsaved');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a start on a disk that takes no byte says what the disk refused, and what to do about that, and leaves no file',
  async () => {
    const folder = newFolder();
    const said = await refusedStart(folder, undefined, { blocks: 0 });
    expect(said).toContain(`The data folder ${folder} cannot be written (EFBIG`);
    expect(said).toContain(
      '. Raise the limit of the size of a file (ulimit -f), choose another one with --data, or use --memory.',
    );
    expect(readdirSync(folder)).toEqual([]);
  },
);

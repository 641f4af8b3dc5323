import { setTimeout as sleep } from 'node:timers/promises';
import { call, PlatformError } from './platform.ts';

/** As far as the shop reads it. */
export interface Upload {
  readonly uploadId: string;
  readonly uploadUrl: string;
  readonly status: string;
  readonly errors: readonly { readonly errorType: string; readonly errorMessage: string; readonly lineNum: number }[];
  readonly productsProcessed?: number;
}

/** What else an upload may become is waiting for nothing. */
const waiting: readonly string[] = ['initialized', 'validating', 'validated'];

/**
 * Uploads products: initiates, sends the file, and asks until they are saved. Lines with errors are left out and reported
 * in `errors`.
 * @throws PlatformError where the upload expires, or its products cannot be saved
 */
export async function uploadCatalog(
  baseUrl: string,
  token: string,
  products: readonly unknown[],
  pollMs: number,
): Promise<Upload> {
  const path = '/product-catalog/uploads';
  const { uploadId, uploadUrl } = await call<Upload>(baseUrl, {
    token,
    method: 'POST',
    path,
    json: { validateOnly: false },
  });
  // The link itself says who may send: no token goes there, and no content type.
  const sent = await fetch(uploadUrl, {
    method: 'PUT',
    body: Buffer.from(products.map((product) => `${JSON.stringify(product)}\n`).join('')),
  });
  if (!sent.ok) throw new PlatformError(sent.status, `The catalog file was refused: ${await sent.text()}`);
  for (;;) {
    const upload = await call<Upload>(baseUrl, { token, method: 'GET', path: `${path}/${uploadId}` });
    if (upload.status === 'completed') return upload;
    if (!waiting.includes(upload.status))
      throw new PlatformError(502, `The catalog upload ${uploadId} ended as ${upload.status}.`);
    await sleep(pollMs);
  }
}

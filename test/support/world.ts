import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { readSavedLines } from '../../emulator/features/catalog/saved/transfer.ts';
import { startSandbox, type Answer, type Sandbox } from './sandbox.ts';
import type { EmulatorOptions } from '../../emulator/options.ts';

/** A new folder that is removed after the test. */
export function freshFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts an emulator that is closed after the test, unless the test closes it itself. */
export async function opened(options: Partial<EmulatorOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Sends a control request that has to succeed. */
export async function act<T = { readonly [key: string]: never }>(
  sandbox: Sandbox,
  method: string,
  path: string,
  json?: unknown,
): Promise<T> {
  const { status, body } = await sandbox.control(method, path, json);
  if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`);
  return body as T;
}

/** Subscribes a phone through a sign-up unit of the demo world. */
export function subscribe(sandbox: Sandbox, phone: string): Promise<Answer> {
  return sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
}

/** The whole state as text, and every other file with its bytes. Needs a data folder. */
export function everything({ emulator }: Sandbox): { readonly state: string; readonly files: Record<string, string> } {
  const root = join(emulator.dataDir ?? '', 'blobs');
  const files: Record<string, string> = {};
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(root, path)] = readFileSync(path, 'base64');
  }
  return { state: JSON.stringify(emulator.deps.store.toDocument()), files };
}

const product = (id: string, name = 'Shirt') => ({
  id,
  name,
  link: 'https://shop.example/shirt',
  lastUpdated: '2026-01-31T09:30:00Z',
  variants: [
    {
      id: `${id}-1`,
      name: 'Small',
      link: 'https://shop.example/shirt?size=s',
      prices: [{ currencyCode: 'USD', amount: '12.50' }],
      availableForPurchase: true,
      inventoryQuantity: 3,
      lastUpdated: '2026-01-31T09:30:00Z',
    },
  ],
});

/** Opens an upload and sends products to it; returns its id. It is checked and saved as time passes. */
export async function upload(sandbox: Sandbox, ids: readonly string[], name?: string): Promise<string> {
  const { body } = await sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly: false } });
  const { uploadId, uploadUrl } = body as { uploadId: string; uploadUrl: string };
  const file = ids.map((id) => `${JSON.stringify(product(id, name))}\n`).join('');
  const sent = await fetch(uploadUrl, { method: 'PUT', body: file });
  if (sent.status !== 200) throw new Error(`The PUT was answered with ${sent.status}: ${await sent.text()}`);
  return uploadId;
}

/** Adds codes to an offer of the demo world. */
export async function addCodes(sandbox: Sandbox, codes: readonly string[]): Promise<void> {
  const { status } = await sandbox.call('POST', '/coupons/coupon-pool/54102/create', { json: { codes } });
  if (status !== 202) throw new Error(`The codes were answered with ${status}`);
}

/** The names of a company's saved products by id. */
export async function productNames({ emulator }: Sandbox, companyId: string): Promise<Record<string, string>> {
  const lines = (await readSavedLines(emulator.deps.store.blobs.path('products', companyId))) ?? [];
  const products = lines
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly id: string; readonly name: string });
  return Object.fromEntries(products.map(({ id, name }) => [id, name]));
}

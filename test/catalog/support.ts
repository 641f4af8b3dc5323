import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkFile } from '../../emulator/features/catalog/check/check-file.ts';
import type { HashId } from '../../emulator/features/catalog/check/id-set.ts';
import { createJobs, type Jobs, type JobsOptions } from '../../emulator/features/catalog/jobs.ts';
import type { CheckReport } from '../../emulator/features/catalog/check/report.ts';
import type { CatalogIssue } from '../../emulator/records.ts';
import { workerUrl } from '../support/built.ts';

/** Every id has the same hash. */
export const oneHash: HashId = Object.assign((_id: string, out: Uint32Array) => void out.fill(7), {
  ofBytes: (_bytes: Uint8Array, _from: number, _to: number, out: Uint32Array) => void out.fill(7),
});

/** Threads for the work of one test; without a clock, the one that waits is kept until the test ends. */
export function useJobs(options: Partial<JobsOptions> = {}): Jobs {
  const jobs = createJobs({ clock: { afterWall: () => () => {} }, workerUrl: workerUrl(), ...options });
  onTestFinished(jobs.rest);
  return jobs;
}

export type Json = { [key: string]: unknown };

const lastUpdated = '2026-01-31T09:30:00Z';

export function variant(id: string, changes: Json = {}): Json {
  return {
    id,
    name: 'Small',
    link: 'https://shop.example/shirt?size=s',
    prices: [{ currencyCode: 'USD', amount: '12.50' }],
    availableForPurchase: true,
    inventoryQuantity: 3,
    lastUpdated,
    ...changes,
  };
}

export function product(id: string, changes: Json = {}): Json {
  return {
    id,
    name: 'Shirt',
    link: 'https://shop.example/shirt',
    lastUpdated,
    variants: [variant(`${id}-1`)],
    ...changes,
  };
}

/** A product with every field of section 2.1. */
export function fullProduct(id: string): Json {
  return product(id, {
    description: 'Soft, and blue as the sea — café au lait',
    brand: 'Example',
    categories: ['Clothes'],
    tags: ['blue'],
    productOptions: [{ name: 'Size', position: 0, values: ['S', 'M'] }],
    images: [
      { src: 'http://shop.example/a.png', alt: 'A', width: 10, height: 10, variantIds: [`${id}-1`], position: 0 },
    ],
    attributes: [{ name: 'Material', value: 'Cotton' }],
    collections: ['Summer'],
    variants: [
      variant(`${id}-1`, {
        position: 0,
        prices: [{ currencyCode: 'EUR', amount: '10', compareAtPrice: '12.00' }],
        productOptionValues: [{ productOptionName: 'Size', value: 'S' }],
        attributes: [{ name: 'Cut', value: 'Slim' }],
      }),
    ],
  });
}

/** A new folder that is removed after the test. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function toFile(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

export interface Checked extends CheckReport {
  /** The content of the issues file. */
  readonly written: readonly CatalogIssue[];
  readonly goodIds: readonly string[];
  readonly good: string;
  readonly goodPath: string;
}

function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}

export async function check(content: string | Buffer, savedDir: string | null = null): Promise<Checked> {
  const folder = await freshFolder();
  const path = join(folder, 'file.ndjson');
  const issuesPath = join(folder, 'issues.ndjson');
  const goodPath = join(folder, 'good.ndjson');
  await writeFile(path, content);
  const report = await checkFile({ path, issuesPath, goodPath, savedDir });
  const good = await readFile(goodPath, 'utf8');
  const issues = await readFile(issuesPath, 'utf8');
  return {
    ...report,
    good,
    goodPath,
    // Parsed when they are asked for: there may be half a million.
    get written() {
      return parseLines(issues) as CatalogIssue[];
    },
    get goodIds() {
      return (parseLines(good) as { id: string }[]).map(({ id }) => id);
    },
  };
}

import { createReadStream, closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { checkFile } from '../../emulator/features/catalog/check/check-file.ts';
import { createLineSplitter } from '../../emulator/features/catalog/check/lines.ts';
import { Product } from '../../emulator/features/catalog/check/product-schema.ts';
import { report } from './harness.ts';

const FILE_BYTES = 50 * 1024 * 1024;
const ROUNDS = 5;

/**
 * A product as shops send it: 3 variants, 4 images, a few hundred accented characters, about 3 KB.
 * @param more attributes of 100 bytes each
 */
export function realisticProduct(n: number, more = 0): string {
  const id = `gid://shop/Product/${7_000_000_000 + n}`;
  const lastUpdated = `2026-0${1 + (n % 9)}-1${n % 10}T09:30:${10 + (n % 50)}.000Z`;
  const link = `https://shop.example/products/chemise-d-ete-${n}`;
  const variants = ['S', 'M', 'L'].map((size, i) => ({
    id: `gid://shop/ProductVariant/${(7_000_000_000 + n) * 10 + i}`,
    name: `Chemise d'été ${n} / ${size}`,
    position: i,
    link: `${link}?variant=${i}`,
    prices: [
      { currencyCode: 'USD', amount: '29.90', compareAtPrice: '39.90' },
      { currencyCode: 'EUR', amount: '27.50' },
    ],
    availableForPurchase: i !== 1,
    inventoryQuantity: (n * 7 + i) % 90,
    productOptionValues: [{ productOptionName: 'Size', value: size }],
    attributes: [{ name: 'material', value: 'Coton biologique' }],
    lastUpdated,
  }));
  return JSON.stringify({
    id,
    name: `Chemise d'été ${n}`,
    description: 'Légère, coupée à la main, teintée en pièce — une chemise pour les soirées d’été. '.repeat(6).trim(),
    brand: 'Atelier Exemple',
    link,
    lastUpdated,
    categories: ['Vêtements', 'Vêtements > Chemises', 'Été'],
    tags: ['coton', 'été', 'nouveauté', `série-${n % 40}`],
    productOptions: [{ name: 'Size', position: 0, values: ['S', 'M', 'L'] }],
    images: [0, 1, 2, 3].map((position) => ({
      src: `https://cdn.shop.example/files/chemise-${n}-${position}.jpg?v=1700000000`,
      alt: `Chemise d'été, vue ${position}`,
      width: 1200,
      height: 1600,
      variantIds: position < 3 ? [variants[position]?.id] : [],
      position,
    })),
    attributes: [
      { name: 'season', value: 'été' },
      ...Array.from({ length: more }, (_, i) => ({
        name: `care-${i}`,
        value: `Wash at 30 degrees. ${n} `.padEnd(70, '.'),
      })),
    ],
    variants,
    collections: ['Été 2026', 'Nouveautés'],
  });
}

function writeCatalog(path: string): number {
  const file = openSync(path, 'w');
  let bytes = 0;
  let n = 0;
  while (bytes < FILE_BYTES) {
    bytes += writeSync(file, `${Array.from({ length: 200 }, () => realisticProduct(n++)).join('\n')}\n`);
  }
  closeSync(file);
  return n;
}

export async function parseOnly(path: string): Promise<void> {
  const ignore = (): void => undefined;
  const splitter = createLineSplitter({
    line: (bytes) => void JSON.parse(bytes.toString()),
    tooLong: ignore,
    tooMany: ignore,
  });
  const file = await open(path, 'r');
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) break;
    splitter.push(chunk.subarray(0, bytesRead));
  }
  splitter.end();
  await file.close();
}

/** The obvious implementation: readline, JSON.parse, stock ajv with ajv-formats. No ids, no limits, no report. */
function createNaive(): (path: string) => Promise<void> {
  const schema = JSON.parse(
    JSON.stringify(Product).replaceAll('"http-url"', '"uri"').replaceAll('"utc-timestamp"', '"date-time"'),
  ) as object;
  const ajv = new Ajv({ allErrors: true, strict: false });
  ajvFormats.default(ajv);
  ajv.addFormat('iso-4217', /^[A-Z]{3}$/);
  ajv.addFormat('decimal', /^\d+(\.\d+)?$/);
  const validate = ajv.compile(schema);
  return async (path) => {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (!validate(JSON.parse(line))) throw new Error(ajv.errorsText(validate.errors));
    }
  };
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

export interface CatalogBench {
  readonly lines: number;
  readonly megabytes: number;
  /** CPU of JSON.parse alone divided by CPU of the check, which parses no good line. Aim 1.3. */
  readonly ofParseOnly: number;
  /** CPU of readline + ajv divided by CPU of the check. Aim 2. */
  readonly ofNaive: number;
  readonly peakRssMb: number;
}

/** Checks a file of 50 MB and compares its CPU time with the two yardsticks, interleaved, medians of five rounds. */
export async function benchCatalog(): Promise<CatalogBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-catalog-'));
  try {
    const path = join(folder, 'catalog.ndjson');
    const lines = writeCatalog(path);
    const options = { path, issuesPath: join(folder, 'issues'), goodPath: null, savedDir: null };
    const naive = createNaive();
    const cpu = { check: [] as number[], parse: [] as number[], naive: [] as number[] };
    let peakRssMb = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      cpu.check.push(await cpuMs(() => checkFile(options)));
      // The peak only grows, so only the first reading is that of the check alone.
      if (round === 0) peakRssMb = peakMb();
      cpu.parse.push(await cpuMs(() => parseOnly(path)));
      cpu.naive.push(await cpuMs(() => naive(path)));
    }
    const ratio = (yardstick: readonly number[]): number => median(yardstick) / median(cpu.check);
    const result: CatalogBench = {
      lines,
      megabytes: (await stat(path)).size / 1e6,
      ofParseOnly: ratio(cpu.parse),
      ofNaive: ratio(cpu.naive),
      peakRssMb,
    };
    report(
      `a catalog of ${lines} lines (${result.megabytes.toFixed(0)} MB) checked, speed against JSON.parse alone`,
      result.ofParseOnly,
      { atLeast: 1.3 },
      `peak ${peakRssMb} MB`,
      { limit: 'lines cut and decoded 2.9×', peer: "Python's json 0.71×" },
    );
    report('… against readline + Ajv', result.ofNaive, { atLeast: 2 });
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { createRandom } from '../../random.ts';

/**
 * Generates catalog files from a seed, with faults at known lines: for tests, benchmarks and people who build an
 * upload.
 */

export const faultKinds = [
  'currency',
  'url',
  'timestamp',
  'amount',
  'type',
  'missing-field',
  'empty-name',
  'not-json',
  'duplicate-product',
  'duplicate-variant',
  'image-variant',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface CatalogPlan {
  readonly products: number;
  /** Variants of each product, 1 to 200. */
  readonly variants: number;
  /** The same seed makes the same bytes. */
  readonly seed: number;
  /** Fault kind → how many lines have it. A line has one fault at most. */
  readonly faults: { readonly [K in FaultKind]?: number };
}

export interface PlannedFault {
  /** From 1. */
  readonly line: number;
  readonly kind: FaultKind;
}

/** The lines in error. @throws RangeError if there are more faults than lines that can have them */
export function planFaults({ products, seed, faults }: CatalogPlan): readonly PlannedFault[] {
  const random = createRandom(seed);
  const kinds = faultKinds.flatMap((kind) => Array.from({ length: faults[kind] ?? 0 }, () => kind));
  // The first line has no fault, because a repeated id needs an earlier line.
  if (kinds.length > products - 1)
    throw new RangeError(`${kinds.length} faults need ${kinds.length + 1} products or more; there are ${products}.`);
  const lines = new Set<number>();
  while (lines.size < kinds.length) lines.add(2 + Math.floor(random() * (products - 1)));
  return [...lines]
    .map((line, at) => ({ line, kind: kinds[at] ?? 'currency' }))
    .sort((one, other) => one.line - other.line);
}

/** The lines of the file, without their newlines. */
export function* generateCatalog(plan: CatalogPlan): Generator<string> {
  const faults = new Map(planFaults(plan).map(({ line, kind }) => [line, kind]));
  const random = createRandom(plan.seed + 1);
  for (let line = 1; line <= plan.products; line += 1) {
    const product = toProduct(line, plan, random);
    const kind = faults.get(line);
    yield kind === undefined ? JSON.stringify(product) : withFault(product, kind);
  }
}

interface Made {
  id: string;
  name: string;
  link: unknown;
  lastUpdated: string;
  images: { src: string; alt: string; width: number; height: number; variantIds: string[]; position: number }[];
  variants: MadeVariant[];
  [field: string]: unknown;
}

interface MadeVariant {
  id: string;
  name: string;
  link: string;
  prices: { currencyCode: string; amount: string }[];
  availableForPurchase: boolean;
  inventoryQuantity: unknown;
  lastUpdated: string;
}

const things = ['hat', 'jacket', 'shirt', 'scarf', 'boots', 'bag', 'belt', 'socks'] as const;
const kinds = ['Dune', 'Tide', 'Marsh', 'Heron', 'Plover', 'Reed', 'Shore', 'Salt'] as const;
const sizes = ['S', 'M', 'L', 'XL'] as const;
const lastUpdated = '2026-11-20T09:30:00Z';

function toProduct(line: number, { variants }: CatalogPlan, random: () => number): Made {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const name = `${pick(kinds)} ${pick(things)} ${line}`;
  const link = `https://shop.example.com/p/${line}`;
  const own: MadeVariant[] = Array.from({ length: variants }, (_, at) => ({
    id: `v-${line}-${at + 1}`,
    name: `${name}, ${sizes[at % sizes.length]}`,
    link: `${link}?v=${at + 1}`,
    prices: [{ currencyCode: 'USD', amount: (5 + random() * 200).toFixed(2) }],
    availableForPurchase: random() < 0.9,
    inventoryQuantity: Math.floor(random() * 100),
    lastUpdated,
  }));
  return {
    id: `p-${line}`,
    name,
    link,
    lastUpdated,
    brand: 'Sandpiper',
    categories: [pick(things)],
    tags: ['generated'],
    images: [{ src: `${link}.jpg`, alt: name, width: 800, height: 800, variantIds: [own[0]?.id ?? ''], position: 0 }],
    variants: own,
  };
}

function withFault(product: Made, kind: FaultKind): string {
  const [variant] = product.variants;
  const price = variant?.prices[0];
  if (!variant || !price) throw new RangeError('A product has one variant at least.');
  const [image] = product.images;
  switch (kind) {
    case 'currency':
      price.currencyCode = 'usd';
      break;
    case 'url':
      product.link = `shop.example.com/p/${product.id}`;
      break;
    case 'timestamp':
      product.lastUpdated = '2026-11-20T10:30:00+01:00';
      break;
    case 'amount':
      price.amount = `$${price.amount}`;
      break;
    case 'type':
      variant.inventoryQuantity = '12';
      break;
    case 'missing-field':
      delete product['link'];
      break;
    case 'empty-name':
      product.name = '';
      break;
    case 'not-json':
      return `${JSON.stringify(product)},`;
    case 'duplicate-product':
      product.id = 'p-1';
      break;
    case 'duplicate-variant':
      variant.id = 'v-1-1';
      product.images = [];
      break;
    case 'image-variant':
      if (image) image.variantIds = ['v-none'];
      break;
  }
  return JSON.stringify(product);
}

import { isUtf8 } from 'node:buffer';
import { Product } from '../product-schema.ts';
import { space } from './bytes.ts';
import { generateReader, type Marks, type Reader } from './generate.ts';

/** Reads lines that are certainly good products, without parsing them. */
export interface LineAcceptor {
  /** True: the full check finds no error in this line alone. False proves nothing: the line has to be checked. */
  accepts(line: Buffer): boolean;
  /** The places of the product's id and its variants' ids in the bytes of the last accepted line; the ids are ASCII. */
  readonly productId: Marks;
  readonly variantIds: Marks;
  /** The place of the product's name, as it is written, possibly with escapes. */
  readonly name: Marks;
}

const MOST_IMAGE_VARIANTS = 2_000;

let create: (() => Reader) | null = null;

/** An acceptor generated from product-schema.ts, with the rule that an image names variants of its own product. */
export function createLineAcceptor(): LineAcceptor {
  create ??= generateReader(Product, {
    '/id': { most: 1, as: 'ascii' },
    '/name': { most: 1, as: 'raw' },
    '/variants/#/id': { most: 200, as: 'ascii' },
    '/images/#/variantIds/#': { most: MOST_IMAGE_VARIANTS, as: 'ascii' },
  });
  const { read, marks } = create();
  const of = (place: string): Marks => marks[place] as Marks;
  const [variantIds, imageVariantIds] = [of('/variants/#/id'), of('/images/#/variantIds/#')];

  function namesOwnVariants(b: Buffer): boolean {
    for (let i = 0; i < imageVariantIds.count; i += 1) {
      let own = 0;
      while (own < variantIds.count && !isSameText(b, imageVariantIds.ranges, i, variantIds.ranges, own)) own += 1;
      if (own === variantIds.count) return false;
    }
    return true;
  }

  return {
    accepts(line) {
      if (!isUtf8(line)) return false;
      const end = read(line, space(line, 0));
      return end >= 0 && space(line, end) === line.length && namesOwnVariants(line);
    },
    productId: of('/id'),
    variantIds,
    name: of('/name'),
  };
}

/** The marked texts of a line, in ASCII. */
export function toTexts(line: Buffer, { count, ranges }: Marks): readonly string[] {
  return Array.from({ length: count }, (_, i) => line.toString('latin1', ranges[i * 2], ranges[i * 2 + 1]));
}

function isSameText(b: Buffer, ones: Int32Array, one: number, others: Int32Array, other: number): boolean {
  const [from, to] = [ones[one * 2] as number, ones[one * 2 + 1] as number];
  const start = others[other * 2] as number;
  if ((others[other * 2 + 1] as number) - start !== to - from) return false;
  for (let at = to - 1; at >= from; at -= 1) if (b[at] !== b[start + at - from]) return false;
  return true;
}

import { createLineAcceptor } from '../../emulator/features/catalog/check/accept/accept-line.ts';
import { createProductChecker, toLineIds } from '../../emulator/features/catalog/check/check-product.ts';
import { parseLine } from '../../emulator/features/catalog/check/parse-line.ts';
import { generateCatalog } from '../../emulator/features/catalog/generate.ts';
import { createRandom } from '../../emulator/random.ts';
import { fullProduct, product } from './support.ts';

export interface MutatedResult {
  /** Lines that the acceptor took although the full check finds something in them, or with other ids. */
  readonly wrong: readonly string[];
  readonly accepted: number;
  /** Of the lines that the full check finds good (of every tenth line), those that the acceptor took. */
  readonly goodShare: number;
}

/** Changes good lines at random, and compares the acceptor with the full check on each. */
export function compareMutated(count: number, seed: number): MutatedResult {
  const random = toRandom(seed);
  const bases = toBases();
  const acceptor = createLineAcceptor();
  const checker = createProductChecker();
  const wrong: string[] = [];
  let [accepted, good, goodAccepted] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const line = mutate(random.pick(bases), random);
    const isAccepted = acceptor.accepts(line);
    if (isAccepted) accepted += 1;
    const isCounted = i % 10 === 0;
    if (!isAccepted && !isCounted) continue;
    const parsed = parseLine(line);
    const isGood = parsed.issue === null && checker.check(parsed.value).length === 0;
    if (isGood && isCounted) good += 1;
    if (isGood && isCounted && isAccepted) goodAccepted += 1;
    if (isAccepted && (!isGood || !hasSameIds(line, parsed.value, acceptor))) wrong.push(line.toString('latin1'));
  }
  return { wrong, accepted, goodShare: goodAccepted / good };
}

function hasSameIds(
  line: Buffer,
  value: unknown,
  { productId, variantIds }: ReturnType<typeof createLineAcceptor>,
): boolean {
  const texts = ({ count, ranges }: typeof productId): string[] =>
    Array.from({ length: count }, (_, i) => line.toString('utf8', ranges[i * 2], ranges[i * 2 + 1]));
  const ids = toLineIds(value);
  return JSON.stringify([texts(productId)[0], texts(variantIds)]) === JSON.stringify([ids.product, ids.variants]);
}

function toBases(): readonly string[] {
  const made = [...generateCatalog({ products: 3, variants: 2, seed: 5, faults: {} })];
  const texts = product('e-1', { name: 'Caf\u00e9 "au lait" \\ 😀', unknown: { deep: [1, -2.5e3, null, { a: [] }] } });
  return [...made, JSON.stringify(fullProduct('p')), JSON.stringify(product('q')), JSON.stringify(texts)];
}

const leaves = [
  '0',
  '-0',
  '01',
  '1.0',
  '1e3',
  '1.',
  '1e+',
  '-1',
  '1e999',
  '9007199254740993',
  '12345678901234567890',
  'true',
  'false',
  'null',
  'trux',
  'falsx',
  'nulx',
  '""',
  '" "',
  '"\\u00e9"',
  '"\\ud800"',
  '"\\x"',
  '"\\u00g0"',
  '"\\u000g"',
  '"\u001f"',
  '"a\\"b"',
  '"http://[::1]/"',
  '"https://shop.example.com"',
  '"https://shop.example.com/ a"',
  '"https://shop.example.com/é"',
  '"https://shop.example.com/\u00a0"',
  '"HTTPS://shop.example/x"',
  '"https://a b/"',
  '"https:///x"',
  '"https://%zz/"',
  '"2026-02-29T10:00:00Z"',
  '"2024-02-29T10:00:00.123456789Z"',
  '"2026-02-28T24:00:00Z"',
  '"2026-02-28T10:00:00+00:00"',
  '"2026-02-28T10:00:00.Z"',
  '"USD"',
  '"USX"',
  '"usd"',
  '"1."',
  '".5"',
  '"12.50"',
  '"١٢"',
  '[]',
  '{}',
  '[[]]',
  '{"id":"x"}',
  '["p-1"]',
  JSON.stringify('x'.repeat(256)),
  JSON.stringify('x'.repeat(257)),
  JSON.stringify('é'.repeat(256)),
  JSON.stringify('😀'.repeat(257)),
  JSON.stringify(`https://shop.example.com/${'a'.repeat(2023)}`),
  JSON.stringify(`https://shop.example.com/${'a'.repeat(2024)}`),
] as const;

const pieces = ['"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\u0000', '\u00a0', '-', '0', '.', 'e', 'id'];

interface Random {
  /** An integer from 0 to before `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

function toRandom(seed: number): Random {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { below, pick: (list) => list[below(list.length)]! };
}

/** One to three changes: of a byte, a piece, a value, a field. */
function mutate(line: string, random: Random): Buffer {
  let text = line;
  const times = 1 + random.below(3);
  for (let i = 0; i < times; i += 1) text = mutateOnce(text, random);
  const bytes = Buffer.from(text);
  if (bytes.length > 0 && random.below(12) === 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function mutateOnce(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  switch (random.below(9)) {
    case 0:
      return text.slice(0, at) + random.pick(pieces) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.below(4));
    case 2:
      return text.slice(0, at);
    case 3: {
      const length = 1 + random.below(40);
      return text.slice(0, at) + text.slice(Math.max(0, at - length));
    }
    case 4:
    case 5:
      return replaceOne(text, /(?<=[:[,])(?:"(?:[^"\\]|\\.)*"|-?\d+|true|false)(?=[,\]}])/g, random, () =>
        random.pick(leaves),
      );
    case 6:
      return replaceOne(text, /"[A-Za-z]+"(?=:)/g, random, () =>
        random.pick(['"id"', '"x"', '"variants"', '"\\u0069d"', '"prices"', '"__proto__"']),
      );
    case 7:
      return replaceOne(
        text,
        /[{,](?=")/g,
        random,
        (found) => `${found}${random.pick(['"id":', '"extra":', '"name":', '"i\\u0064":'])}${random.pick(leaves)},`,
      );
    default:
      return replaceOne(text, /[:,{}[\]]/g, random, (found) => ` ${found}\t`);
  }
}

function replaceOne(text: string, pattern: RegExp, random: Random, to: (found: string) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: old } = random.pick(found);
  return text.slice(0, index) + to(old) + text.slice(index + old.length);
}

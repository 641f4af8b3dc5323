import { toAmount } from '../../../contract/digits.ts';
import { toName } from '../../../contract/pointer.ts';
import { findUnknownFields, type UnknownField } from '../../../contract/unknown-fields.ts';
import { createLineCheck } from './check-lines.ts';
import { createProductChecker } from './check-product.ts';
import { fixLine, type Fixed } from './fix-file.ts';
import type { FoundIssue } from './issues.ts';
import type { LineEvents } from './lines.ts';
import { Product, type SavedProduct } from './product-schema.ts';
import { readLines, type ReadingOptions } from './read-lines.ts';
import { openSavedVariants } from './saved-variants.ts';
import { openSeenLines } from './seen-lines.ts';
import { createLosses } from './losses.ts';
import type { Xray, XrayCause, XrayWarning } from './shapes.ts';
import { compareProducts, noChanges } from './xray-changes.ts';
import { createExamples } from './xray-examples.ts';

export interface XrayOptions {
  /** The uploaded file. */
  readonly path: string;
  /** The folder of the saved products; null if nothing is saved. */
  readonly savedDir: string | null;
}

/**
 * Looks at every line of a file: the errors of the check by cause, warnings, and a comparison with the saved products.
 * Unlike the check it parses every good line. Memory: as much as the check.
 */
export async function xrayFile(
  { path, savedDir }: XrayOptions,
  reading: Pick<ReadingOptions, 'onProgress'> = {},
): Promise<Xray> {
  const saved = openSavedVariants(savedDir);
  const seen = openSeenLines(path);
  const causes = createCauses();
  const warnings = createWarnings();
  const losses = createLosses(MOST_EXAMPLES);
  const changes = noChanges();
  const checker = createProductChecker();
  let [goodLines, fixableLines, issueCount] = [0, 0, 0];

  const check = createLineCheck({
    log: {
      add(lineNum, issue) {
        issueCount += 1;
        causes.add(lineNum, issue);
      },
    },
    seen,
    saved,
    losses,
    onGood(bytes, num) {
      goodLines += 1;
      const product = JSON.parse(bytes.toString()) as SavedProduct;
      warnings.look(product, num);
      compareProducts(product, bytes, saved.lineOf(product.id), changes);
    },
  });
  const events: LineEvents = {
    ...check,
    line(bytes, num, offset) {
      const before = issueCount;
      if (check.line(bytes, num, offset) === false) return false;
      if (issueCount === before) return;
      const fixed = fixLine(bytes, checker);
      if (causes.endLine(toFixable(fixed)) && fixed.outcome !== 'partly') fixableLines += 1;
    },
  };
  try {
    const { lines } = await readLines(path, events, () => issueCount, reading);
    if (check.isRefused) goodLines = 0;
    else check.end();
    const { changed, same } = changes;
    return {
      lines,
      goodLines,
      fixableLines,
      causes: causes.all(),
      warnings: [...losses.all(), ...warnings.all()],
      changes: check.isRefused ? noChanges() : { ...changes, untouched: saved.count - changed - same },
    };
  } finally {
    seen.close();
    saved.close();
  }
}

/** Says which errors of a line a fix removes. Errors between lines have no fix. */
function toFixable(fixed: Fixed): (issue: FoundIssue) => boolean {
  if (fixed.outcome === 'good' || fixed.outcome === 'left') return () => false;
  const left = new Set(fixed.outcome === 'partly' ? fixed.left : []);
  return ({ pointer, proposed }) => pointer === '' || (proposed !== undefined && !left.has(pointer));
}

function createCauses() {
  interface Group extends Pick<XrayCause, 'errorType' | 'where'> {
    count: number;
    fixable: number;
    readonly examples: XrayCause['examples'][number][];
  }
  const groups = new Map<string, Group>();
  let ofLine: { readonly group: Group; readonly issue: FoundIssue }[] = [];
  return {
    add(line: number, issue: FoundIssue): void {
      const { rule, message, pointer, value } = issue;
      const where = pointer.replaceAll(/\/\d+/g, '/#');
      const group = groups.get(`${rule} ${where}`) ?? { errorType: rule, where, count: 0, fixable: 0, examples: [] };
      groups.set(`${rule} ${where}`, group);
      group.count += 1;
      ofLine.push({ group, issue });
      if (group.examples.length < MOST_EXAMPLES) group.examples.push({ line, pointer, value, message });
    },
    /** Ends a line, after all its errors were added. Returns whether fixes remove all of them. */
    endLine(isFixable: (issue: FoundIssue) => boolean): boolean {
      const fixable = ofLine.filter(({ issue }) => isFixable(issue));
      const isWhole = fixable.length === ofLine.length;
      for (const { group } of fixable) group.fixable += 1;
      ofLine = [];
      return isWhole;
    },
    all: (): readonly XrayCause[] => [...groups.values()].toSorted((one, other) => other.count - one.count),
  };
}

const MOST_EXAMPLES = 5;

function createWarnings() {
  const prices = createExamples(MOST_EXAMPLES);
  const sizes = createExamples(MOST_EXAMPLES);
  const unknown = createExamples(MOST_EXAMPLES);
  /** The first unknown field that is similar to a known one. */
  let misspelt: UnknownField | null = null;
  return {
    look(product: SavedProduct, line: number): void {
      const { variants, images = [] } = product;
      for (const [i, { prices: own, id }] of variants.entries())
        if (own.every(({ amount }) => Number(amount) === 0)) prices.add(line, `/variants/${i}/prices`, id);
      for (const [i, { src, width, height }] of images.entries())
        if (!width || !height) sizes.add(line, `/images/${i}`, src);
      const fields = findUnknownFields(Product, product);
      const shown = fields.find(({ nearest }) => nearest !== null) ?? fields[0];
      if (!shown) return;
      unknown.add(line, shown.pointer, shown.value);
      misspelt ??= shown.nearest === null ? null : shown;
    },
    all(): readonly XrayWarning[] {
      const [priced, sized, unnamed] = [prices.all(), sizes.all(), unknown.all()];
      const meant = misspelt?.nearest
        ? ` Did you mean ${toLastName(misspelt.nearest)} by ${toLastName(misspelt.pointer)}?`
        : '';
      const found = [
        {
          kind: 'unknown-field',
          says: `${toAmount(unnamed.count, 'line')} with fields that the catalog does not have; they are ignored.${meant}`,
          ...unnamed,
        },
        {
          kind: 'variant-without-price',
          says: `${toAmount(priced.count, 'variant')} with no price but 0, which messages would show.`,
          ...priced,
        },
        {
          kind: 'image-without-size',
          says: `${toAmount(sized.count, 'image')} without width or height, so that messages cannot reserve their place.`,
          ...sized,
        },
      ] as const;
      return found.filter(({ count }) => count > 0);
    },
  };
}

const toLastName = (pointer: string): string => toName(pointer.slice(pointer.lastIndexOf('/')));

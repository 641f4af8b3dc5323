import { createLineAcceptor, toTexts } from './accept/accept-line.ts';
import { createProductChecker, toLineIds, type LineIds } from './check-product.ts';
import { createDuplicates } from './duplicates.ts';
import { fileFormIssue } from './file-form.ts';
import { toShownValue, type FoundIssue, type IssueLog } from './issues.ts';
import { MAX_LINE_BYTES, MAX_LINES, type LineEvents } from './lines.ts';
import type { Losses } from './losses.ts';
import { parseLine } from './parse-line.ts';
import type { SavedVariants } from './saved-variants.ts';
import type { SeenLines } from './seen-lines.ts';
import { inThousands } from '../../../contract/digits.ts';

export interface LineCheck extends LineEvents {
  /** Decides about lines that depend on the rest of the file. */
  end(): void;
  /**
   * Whether a limit of the whole file was exceeded, or the file has another form. Then none of its lines counts as
   * good.
   */
  readonly isRefused: boolean;
}

export interface LineCheckDeps {
  readonly log: Pick<IssueLog, 'add'>;
  readonly seen: SeenLines;
  readonly saved: SavedVariants;
  /** Called with every line without an issue, and where it begins. The bytes are valid only during the call. */
  readonly onGood: (bytes: Buffer, num: number, offset: number) => void;
  /** Looks at the good lines that the acceptor does not take: a part of them may not be read as it is written. */
  readonly losses?: Pick<Losses, 'look'>;
}

/** A line with a variant that a saved product also has. */
interface Disputed {
  readonly at: number;
  readonly hasIssues: boolean;
}

/**
 * Checks a file line by line: each line alone, against the lines before it, and against the saved products. A variant
 * id may move from a saved product to another one if the same file replaces the first (section 2.1: the id is unique
 * across the catalog). Whether it does is known only at the end: the numbers of such lines are kept until then, and the
 * lines are read again.
 */
export function createLineCheck({ log, seen, saved, onGood, losses }: LineCheckDeps): LineCheck {
  const acceptor = createLineAcceptor();
  const checker = createProductChecker();
  const good = new Uint8Array(MAX_LINES);
  const duplicates = createDuplicates(seen, (at) => good[at] === 1);
  const disputed: Disputed[] = [];
  let isRefused = false;

  /**
   * Most lines are good, and are neither parsed nor checked again. `checkLine` decides about doubtful lines, and finds
   * the messages.
   */
  function takeLine(bytes: Buffer, at: number): boolean {
    if (!acceptor.accepts(bytes) || !duplicates.areNew(bytes, acceptor, at)) return false;
    if (!isClearlyOwn(bytes)) return false;
    good[at] = 1;
    onGood(bytes, at + 1, seen.offset(at));
    return true;
  }

  function isClearlyOwn(bytes: Buffer): boolean {
    if (saved.isEmpty) return true;
    const [product = null] = toTexts(bytes, acceptor.productId);
    return saved.areClearlyOwn(product, toTexts(bytes, acceptor.variantIds));
  }

  function checkLine(bytes: Buffer, at: number): void | false {
    const parsed = parseLine(bytes);
    if (parsed.issue !== null) {
      const ofFile = at === 0 ? fileFormIssue(bytes) : null;
      if (ofFile === null) return log.add(at + 1, parsed.issue);
      log.add(0, ofFile);
      isRefused = true;
      return false;
    }
    const ids = toLineIds(parsed.value);
    const own = checker.check(parsed.value);
    const issues = [...own, ...duplicates.check(ids, at, own.length === 0)];
    for (const issue of issues) log.add(at + 1, issue);

    const hasIssues = issues.length > 0;
    good[at] = hasIssues ? 0 : 1;
    if (!hasIssues) losses?.look(bytes.toString(), parsed.value, at + 1);
    if (!saved.areClearlyOwn(ids.product, ids.variants)) disputed.push({ at, hasIssues });
    else if (!hasIssues) onGood(bytes, at + 1, seen.offset(at));
  }

  function isReplaced(productId: string): boolean {
    return duplicates.lineOfProduct(productId) !== null;
  }

  function takenVariants(ids: LineIds): readonly FoundIssue[] {
    return ids.variants.flatMap((id, i) => {
      const owner = id === null ? null : saved.ownerOf(id);
      if (owner === null || owner === ids.product || isReplaced(owner)) return [];
      const value = toShownValue(id);
      const message = `The variant id "${value}" belongs to the saved product "${toShownValue(owner)}". Give variants[${i}] another id, or replace that product in this file by one without it.`;
      return [{ rule: 'catalog.duplicate-variant', message, pointer: `/variants/${i}/id`, value }];
    });
  }

  /**
   * A line that turns out to be bad replaces no product, which may make another line bad. So this repeats until nothing
   * changes.
   */
  function decideDisputed(): void {
    let undecided = disputed;
    for (let before = -1; before !== undecided.length;) {
      before = undecided.length;
      undecided = undecided.filter(({ at }) => {
        const issues = takenVariants(seen.ids(at));
        for (const issue of issues) log.add(at + 1, issue);
        if (issues.length > 0) good[at] = 0;
        return issues.length === 0;
      });
    }
    for (const { at, hasIssues } of undecided) if (!hasIssues) onGood(seen.bytes(at), at + 1, seen.offset(at));
  }

  return {
    get isRefused() {
      return isRefused;
    },
    line(bytes, num, offset) {
      seen.add(offset, bytes.length);
      if (!takeLine(bytes, num - 1)) return checkLine(bytes, num - 1);
    },
    tooLong(num, length) {
      seen.add(0, 0);
      const message = `The line has ${inThousands(length)} bytes, the limit is ${inThousands(MAX_LINE_BYTES)} (4 MB). Leave something out of this product.`;
      log.add(num, { rule: 'catalog.line-too-long', message, pointer: '', value: null });
    },
    tooMany(num) {
      isRefused = true;
      const message = `The file has more than ${inThousands(MAX_LINES)} lines, so none of it is saved and the rest was not read. Send the lines from ${inThousands(num)} on in another upload.`;
      log.add(num, { rule: 'catalog.too-many-lines', message, pointer: '', value: null });
    },
    end() {
      if (seen.length === 0) {
        const message = 'The file contains no product. Send one product per line.';
        log.add(0, { rule: 'catalog.empty-file', message, pointer: '', value: null });
      }
      decideDisputed();
    },
  };
}

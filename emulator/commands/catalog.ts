import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mustBeNew, mustBeReadable, nameOf, withNamedFile, writeNamedFile } from '../config/named-file.ts';
import { toPrintable } from '../contract/printable.ts';
import { UserError, mustCompile } from '../errors.ts';
import { checkFile } from '../features/catalog/check/check-file.ts';
import { fixFile } from '../features/catalog/check/fix-file.ts';
import { createLosses } from '../features/catalog/check/losses.ts';
import { xrayFile } from '../features/catalog/check/xray.ts';
import type { XrayWarning } from '../features/catalog/check/shapes.ts';
import { catalogRules } from '../features/catalog/check/rules.ts';
import {
  faultKinds,
  generateCatalog,
  planFaults,
  type CatalogPlan,
  type FaultKind,
} from '../features/catalog/generate.ts';
import type { CatalogIssue } from '../records.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../store/temporary-folders.ts';
import { inThousands, toAmount } from '../contract/digits.ts';
import { paint, screenOf, wrap, type Part, type Screen, type Terminal } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

export interface GenerateOptions {
  readonly products: number;
  readonly variants: number;
  readonly seed: number;
  /** The faults to put in, such as `currency:2,url:1`. */
  readonly faults?: string;
  readonly out?: string;
  readonly overwrite?: boolean;
  /** Prints which line has which fault, as JSON, to standard error. */
  readonly list?: boolean;
  readonly terminal: Terminal;
}

/** How many places of one kind a report names. */
const shownOfAKind = 3;

/** How a report is printed. */
export interface ReportOptions {
  readonly json?: boolean;
  readonly terminal: Terminal;
}

/**
 * `sandpiper catalog generate`: writes a catalog file that is made up from a seed.
 * @throws UsageError for a plan that is impossible
 */
export async function generate(options: GenerateOptions): Promise<void> {
  const { products, variants, seed, out, terminal } = options;
  if (variants > 200) throw new UsageError('A product has at most 200 variants.');
  const plan: CatalogPlan = { products, variants, seed, faults: toFaults(options.faults) };
  const planned = orUsage(() => planFaults(plan));
  if (out === undefined || out === '-') await pipeline(lines(plan), terminal.stdout, { end: false });
  else {
    await mustBeNew(out, options.overwrite);
    await writeNamedFile(out, (path) => pipeline(lines(plan), createWriteStream(path)));
    terminal.stdout.write(
      `${toPrintable(out)}: ${toAmount(products, 'line')}, ${inThousands(planned.length)} with a fault.\n`,
    );
  }
  if (options.list) terminal.stderr.write(`${JSON.stringify(planned)}\n`);
}

function* lines(plan: CatalogPlan): Generator<string> {
  let block = '';
  for (const line of generateCatalog(plan)) {
    block += `${line}\n`;
    if (block.length < 64 * 1024) continue;
    yield block;
    block = '';
  }
  yield block;
}

function toFaults(text: string | undefined): CatalogPlan['faults'] {
  const parts = text === undefined ? [] : text.split(',');
  const faults: { [Kind in FaultKind]?: number } = {};
  for (const part of parts) {
    const [, name, count = '1'] = /^([^:]*)(?::(\d{1,6}))?$/.exec(part) ?? [];
    const kind = faultKinds.find((one) => one === name);
    if (kind === undefined)
      throw new UsageError(
        `${JSON.stringify(part)} is not a fault. Write KIND:COUNT, with commas between them; the kinds are ${faultKinds.join(', ')}.`,
      );
    if (faults[kind] !== undefined) throw new UsageError(`--faults names ${kind} twice. Keep one of the two.`);
    faults[kind] = Number(count);
  }
  return faults;
}

function orUsage<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/**
 * Runs work on a catalog file that can be read at any position, more than once. Standard input (`-`) and pipes cannot
 * be, so they are copied first.
 * @throws UserError if the file cannot be read, or if Node may not compile the checks
 */
async function withCatalog<R>(path: string, work: (file: string) => Promise<R>): Promise<R> {
  mustCompile();
  if (path !== '-') {
    await mustBeReadable(path);
    if ((await stat(path)).isFile()) return work(path);
  }
  return withTemporaryFolder(async (folder) => {
    const copy = join(folder, 'catalog.ndjson');
    const from = path === '-' ? process.stdin : createReadStream(path);
    await withNamedFile(copy, 'written', () => pipeline(from, createWriteStream(copy)));
    return work(copy);
  });
}

async function withTemporaryFolder<R>(work: (folder: string) => Promise<R>): Promise<R> {
  const folder = makeTemporaryFolder();
  try {
    return await work(folder);
  } finally {
    removeTemporaryFolder(folder);
  }
}

/**
 * `sandpiper catalog check FILE`: reports what the platform would say about a file, grouped by rule, without uploading
 * it.
 */
export async function check(path: string, { json = false, terminal }: ReportOptions): Promise<void> {
  const screen = screenOf(terminal);
  await withTemporaryFolder(async (folder) => {
    const issuesPath = join(folder, 'issues.ndjson');
    const losses = createLosses(shownOfAKind);
    const report = await withCatalog(path, (file) =>
      checkFile({ path: file, issuesPath, goodPath: null, savedDir: null, losses }),
    );
    const warnings = losses.all();
    if (report.issueCount > 0) terminal.exitCode = exitCodes.notDone;
    if (json) {
      const issues = (await readFile(issuesPath, 'utf8')).split('\n').filter(Boolean);
      const all = issues.map((line) => JSON.parse(line) as CatalogIssue);
      terminal.stdout.write(`${JSON.stringify({ ...report, issues: all, warnings })}\n`);
    } else
      terminal.stdout.write(
        `${wrap([toReport(nameOf(path), report, screen), ...toWarningRows(warnings, screen)].join('\n'), screen)}\n`,
      );
  });
}

function toReport(path: string, report: Awaited<ReturnType<typeof checkFile>>, screen: Screen): string {
  const { lines: count, goodLines, issueCount, issues, counts } = report;
  const bad = count - goodLines;
  const head: readonly Part[] = [
    [`${path}: `],
    [`${toAmount(count, 'line')}, `],
    count === 0 || issues[0]?.lineNum === 0
      ? ['no product', 'yellow']
      : bad === 0
        ? ['all of them good', 'green']
        : [`${inThousands(bad)} of them with errors (${toAmount(issueCount, 'error')} in all)`, 'yellow'],
  ];
  const groups = Object.entries(counts).map(([id, times]) => {
    const rule = catalogRules.find((one) => one.id === id);
    const own = issues.filter(({ errorType }) => errorType === id).slice(0, shownOfAKind);
    return [
      '',
      paint(
        [
          [id, 'bold'],
          [` × ${inThousands(times)}  ${rule?.says ?? ''} (section ${rule?.section}, ${rule?.provenance})`],
        ],
        screen,
      ),
      ...own.map(({ lineNum, pointer, errorMessage }) =>
        paint([[`  ${sayPlace(lineNum)}  `, 'dim'], [`${pointer}  `], [errorMessage]], screen),
      ),
      ...(times > own.length ? [paint([[`  and ${inThousands(times - own.length)} more`, 'dim']], screen)] : []),
    ];
  });
  return [paint(head, screen), ...groups.flat()].join('\n');
}

/** Errors of the whole file have no line. */
const sayPlace = (line: number): string => (line === 0 ? 'the file' : `line ${inThousands(line)}`);

function toWarningRows(warnings: readonly XrayWarning[], screen: Screen): readonly string[] {
  return warnings.flatMap(({ says, examples }) => [
    '',
    paint([[says, 'yellow']], screen),
    ...examples.slice(0, shownOfAKind).map(({ line, pointer, value }) => toLine(screen, line, pointer, value ?? '')),
  ]);
}

const toLine = (screen: Screen, line: number, ...words: readonly string[]): string =>
  paint([[`  ${sayPlace(line)}  `, 'dim'], [words.join('  ')]], screen);

/**
 * `sandpiper catalog xray FILE`: reports the errors by cause, how many can be fixed, and what is probably not intended.
 */
export async function xray(path: string, { json = false, terminal }: ReportOptions): Promise<void> {
  const { changes: _ofNoCatalog, ...found } = await withCatalog(path, (file) =>
    xrayFile({ path: file, savedDir: null }),
  );
  if (found.causes.length > 0) terminal.exitCode = exitCodes.notDone;
  if (json) return void terminal.stdout.write(`${JSON.stringify(found)}\n`);
  const { lines: count, goodLines, fixableLines, causes, warnings } = found;
  const screen = screenOf(terminal);
  const causeRows = causes.flatMap(({ errorType, where, count: times, fixable, examples }) => [
    '',
    paint(
      [
        [errorType, 'bold'],
        [` × ${inThousands(times)}  ${where === '' ? 'the line' : where}  `],
        [fixable === 0 ? 'needs you' : `${inThousands(fixable)} can be fixed`, 'dim'],
      ],
      screen,
    ),
    ...examples.slice(0, shownOfAKind).map(({ line, message }) => toLine(screen, line, message)),
  ]);
  const head = `${nameOf(path)}: ${toAmount(count, 'line')}, ${inThousands(goodLines)} good`;
  const fixes = fixableLines === 0 ? '' : `, ${inThousands(fixableLines)} that "catalog fix" fixes`;
  terminal.stdout.write(
    `${wrap([`${head}${fixes}.`, ...causeRows, ...toWarningRows(warnings, screen)].join('\n'), screen)}\n`,
  );
}

/** `sandpiper catalog fix FILE`: writes a copy in which every error with exactly one possible fix is fixed. */
export async function fix(
  path: string,
  {
    out,
    overwrite,
    json = false,
    terminal,
  }: ReportOptions & Pick<GenerateOptions, 'overwrite'> & { readonly out: string },
): Promise<void> {
  if (out === '-') throw new UsageError('--out names the file of the copy; the report goes to standard output.');
  await mustBeNew(out, overwrite);
  const report = await withCatalog(path, (file) => withNamedFile(out, 'written', () => fixFile(file, out))).catch(
    (error: unknown) => {
      throw error instanceof RangeError ? new UserError(error.message) : error;
    },
  );
  const { fixedCount, partlyCount, removedCount, left, leftCount } = report;
  if (leftCount > 0) terminal.exitCode = exitCodes.notDone;
  if (json) return void terminal.stdout.write(`${JSON.stringify(report)}\n`);
  const screen = screenOf(terminal);
  const rows = left.slice(0, 20).map(({ line, issues }) => {
    const [issue] = issues;
    const more = issues.length > 1 ? ` And ${inThousands(issues.length - 1)} more.` : '';
    return paint(
      [[`  ${sayPlace(line)}  `, 'dim'], [`${issue?.pointer ?? ''}  `], [`${issue?.message ?? ''}${more}`]],
      screen,
    );
  });
  const parts = [
    `${toAmount(fixedCount - partlyCount, 'line')} fixed`,
    ...(removedCount === 0 ? [] : [`${toAmount(removedCount, 'line')} without a product left out`]),
    ...(leftCount === 0
      ? []
      : [
          `${inThousands(leftCount)} left for you`,
          ...(partlyCount === 0 ? [] : [`${inThousands(partlyCount)} of them fixed in part`]),
          ...(removedCount === 0 ? [] : ['with the number in the copy']),
        ]),
  ];
  terminal.stdout.write(`${wrap([`${out}: ${parts.join(', ')}.`, ...rows].join('\n'), screen)}\n`);
}

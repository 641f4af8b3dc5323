/**
 * A file that declares something (JSON, YAML, JavaScript or TypeScript), as its value and with the line of each part.
 */
import { once } from 'node:events';
import { extname, relative, resolve } from 'node:path';
import { cutJson } from '../contract/cut-text.ts';
import { findJsonMistake } from '../contract/json-mistake.ts';
import { UserError, reasonOf } from '../errors.ts';
import { atOnce } from '../time/slices.ts';
import { findCodeLine, type Path } from './code-lines.ts';
import { mustBeReadable } from './named-file.ts';
import { readNamedText } from './named-text.ts';
import { withoutExit } from './without-exit.ts';

export interface Source {
  /** The name that a person in the working folder would use. */
  readonly name: string;
  readonly folder: string;
  readonly value: unknown;
  /** The line of a part, from 1; if the part itself is not in the file, the line of its parent. Null if unknown. */
  lineOf(path: Path): Promise<number | null>;
}

const codeEndings = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
const textEndings = ['.json', '.yaml', '.yml'];
/** In bytes. Reading a larger file as YAML takes minutes. */
const largest = 64 * 1024 ** 2;
const sourceEndings: readonly string[] = [...codeEndings, ...textEndings];

/**
 * Reads a file.
 * @param virtual modules that code may import although nothing is installed: name → exports
 * @throws UserError that names the file, and the line if it is known
 */
export async function readSource(file: string, virtual: { readonly [name: string]: object }): Promise<Source> {
  const path = resolve(file);
  const name = relative(process.cwd(), path) || path;
  const shown = name.startsWith('..') ? path : name;
  const ending = extname(path).toLowerCase();
  await mustBeReadable(shown);
  if (!sourceEndings.includes(ending))
    throw new UserError(`${shown} cannot be read: its name has to end with one of ${sourceEndings.join(', ')}.`);
  const text = await readNamedText(shown, path, largest);
  if (text.trim() === '') throw new UserError(`${shown} is empty. Write an object into it.`);
  const whole = codeEndings.includes(ending)
    ? await readCode(path, text, shown, virtual)
    : await readText(text, shown, ending === '.json');
  return { name: shown, folder: resolve(path, '..'), ...whole };
}

type Whole = Pick<Source, 'value' | 'lineOf'>;

/**
 * Plainer words for messages of the parser.
 * @param name the key at the mistake, if there is one
 */
const ownWords: { readonly [code: string]: (name: string | null) => string } = {
  MULTIPLE_DOCS: () => 'A second document begins here. Keep one',
  DUPLICATE_KEY: (name) => `${name === null ? 'This name' : JSON.stringify(name)} is there twice. Keep one of the two`,
};

/** Reads JSON or YAML. JSON is a part of YAML and is read as such, so that both have lines. */
async function readText(text: string, shown: string, isJson: boolean): Promise<Whole> {
  if (isJson) refuseOtherThanJson(text, shown);
  const { parseDocument, LineCounter, isAlias, isMap, isScalar, isSeq, visit } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    let name: string | null = null;
    visit(document, {
      Scalar(at, { value, range }) {
        if (at === 'key' && range?.[0] === error.pos[0]) name = String(value);
      },
    });
    const says = ownWords[error.code]?.(name) ?? error.message;
    throw new UserError(`${shown}:${lines.linePos(error.pos[0]).line}: ${says}.`);
  }
  const lineAt = (node: { readonly range?: readonly number[] | null } | null | undefined): number | null =>
    node?.range ? lines.linePos(node.range[0] ?? 0).line : null;
  let value: unknown;
  try {
    value = document.toJS();
  } catch (problem) {
    throw new UserError(`${shown} cannot be read: ${reasonOf(problem)}`);
  }
  return {
    value,
    async lineOf(path) {
      let node: unknown = document.contents;
      let line = lineAt(document.contents);
      for (const step of path) {
        if (isAlias(node)) node = node.resolve(document);
        if (isMap(node)) {
          const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
          if (!pair) break;
          line = lineAt(pair.key as { readonly range?: readonly number[] }) ?? line;
          node = pair.value;
        } else if (isSeq(node) && typeof step === 'number') {
          node = node.items[step];
          line = lineAt(node as { readonly range?: readonly number[] } | undefined) ?? line;
        } else break;
      }
      return line;
    },
  };
}

/** Refuses a JSON file with anything that only YAML accepts, because other programs read the file too. */
function refuseOtherThanJson(text: string, shown: string): void {
  const mistake = atOnce(findJsonMistake(text));
  if (mistake === null) return;
  const before = text.slice(0, mistake.index).trimEnd();
  const rest = text.slice(mistake.index);
  const [found = ''] = rest.split('\n');
  const hasComma = before.endsWith(',') && /^[}\]]/.test(found);
  const line = (hasComma ? before : text.slice(0, mistake.index)).split('\n').length;
  const says = /^\/[/*]/.test(found)
    ? 'JSON has no comments. Leave this one out.'
    : hasComma
      ? 'JSON has no comma after the last entry. Leave this one out.'
      : `This is not JSON: ${mistake.expected} is expected${rest === '' ? ' at the end of the file' : `, not ${cutJson(found.trim(), 42)}`}.`;
  throw new UserError(`${shown}:${line}: ${says}`);
}

/** Runs code. The value is its default export, or what that export promises. */
async function readCode(
  path: string,
  text: string,
  shown: string,
  virtual: { readonly [name: string]: object },
): Promise<Whole> {
  const { createJiti } = await import('jiti/static');
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { ...virtual },
  });
  const imported = new AbortController();
  // If nothing is left that could end an await, the process would end as if everything were done.
  const stuck = once(process, 'beforeExit', { signal: imported.signal }).then(() => {
    throw new Error('it awaits what never comes. Leave that await out.');
  });
  let value: unknown;
  try {
    value = await withoutExit(async () => {
      // `module.exports` may be anything.
      const exported = await Promise.race([jiti.import<{ readonly default?: unknown } | null>(path), stuck]);
      return Promise.race([exported?.default, stuck]);
    });
  } catch (error) {
    throw new UserError(sayThrown(error, path, shown));
  } finally {
    imported.abort();
  }
  if (value === undefined) throw new UserError(`${shown} has no default export. Write "export default { … };".`);
  return { value, lineOf: (at) => findCodeLine(text, at) };
}

/**
 * The message of an error in one line, with the line of the file if the stack names it. Slashes and backslashes count
 * as equal.
 */
export function sayThrown(thrown: unknown, path: string, shown: string): string {
  const stack = (thrown instanceof Error && thrown.stack) || '';
  const line = Number.parseInt(toSlashes(stack).split(`${toSlashes(path)}:`)[1] ?? '', 10);
  // The parser names the drive before the mistake.
  const text = reasonOf(thrown).replace(/^(ParseError: )[A-Z]:\\: /i, '$1');
  const [first = '', ...more] = text.split(/\s*\n\s*/);
  return Number.isNaN(line)
    ? `${shown} cannot be run: ${[first, ...more].join(' ').trim()}`
    : `${shown}:${line}: It cannot be run: ${first.trim()}`;
}

const toSlashes = (text: string): string => text.replaceAll('\\', '/');

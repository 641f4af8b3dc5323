import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A fenced example of a document, and the output that the document shows below it. */
export interface Block {
  readonly document: string;
  /** Of its first line. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The text of a following code fence without a language, or with JSON. */
  readonly promised: string | null;
}

interface Fence extends Omit<Block, 'promised' | 'document'> {
  readonly end: number;
}

/** The fenced examples of a document, in order. */
export function blocksOf(document: string): readonly Block[] {
  const { text, fences } = readFences(document);
  return fences.flatMap(({ line, language, text: code, end }, at) => {
    if (isText(language)) return [];
    const next = fences[at + 1];
    const promised = next && isBelow(text, end) ? next.text : null;
    return [{ document, line, language, text: code, promised }];
  });
}

/** The fenced texts of a document that are not the output of the example above them, in order. */
export function samplesOf(document: string): readonly string[] {
  const { text, fences } = readFences(document);
  return fences.flatMap(({ language, text: sample }, at) => {
    const before = fences[at - 1];
    const isOutput = before !== undefined && !isText(before.language) && isBelow(text, before.end);
    return isText(language) && !isOutput ? [sample] : [];
  });
}

function readFences(document: string): { readonly text: string; readonly fences: readonly Fence[] } {
  const text = readFileSync(join(root, document), 'utf8');
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    language: match[1] ?? '',
    text: match[2] ?? '',
    end: match.index + match[0].length,
  }));
  return { text, fences };
}

const isText = (language: string): boolean => language === '' || language === 'json';

/** Whether a fenced text follows an example that ends there, with nothing in between. */
const isBelow = (text: string, end: number): boolean => /^\n\n```(?:json)?\n/.test(text.slice(end, end + 10));

/** The code in the second column of a document's tables, by the text of the first one. */
export function tableCodes(document: string, language: RegExp): readonly (readonly [row: string, code: string])[] {
  const rows = readFileSync(join(root, document), 'utf8').matchAll(/^\| ([^|]+) \| (.+) \|$/gm);
  return [...rows].flatMap(([, row = '', cell = '']) => {
    const codes = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter((code) => language.test(code));
    return codes.length === 0 ? [] : [[row, codes.join(';\n')] as const];
  });
}

/** Whether the expected lines are in an output, in order; `…` matches any text of a line. */
export function firstMissing(promised: string, output: string): string | null {
  let rest = output;
  for (const line of promised.trimEnd().split('\n')) {
    const pattern = line
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*');
    const found = new RegExp(`^${pattern}\\r?$`, 'm').exec(rest);
    if (!found) return line;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}

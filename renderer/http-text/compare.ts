import type { BytesView, RequestView } from '../../emulator/control/calls.ts';
import { toBytes } from '../format.ts';
import { isForm } from './form-lines.ts';
import { toHeaderText } from './header-text.ts';
import { diffBodies, diffLines, plain, type DiffLine } from './diff.ts';

/** One part of two requests, compared. */
export interface Compared {
  readonly title: string;
  readonly lines: readonly DiffLine[];
  readonly differs: boolean;
  /** Why there are no lines, as a sentence; shown instead of them. */
  readonly says: string | null;
}

/** Headers that differ in every request, so they are not compared. */
const passing = new Set(['date', 'x-sandbox-explain', 'x-sandbox-send', 'content-length']);

/** Larger bodies, in characters, are only checked for equality. */
const largest = 512_000;

/** Compares two requests and their answers, part by part. */
export function compareRequests(before: RequestView, after: RequestView): readonly Compared[] {
  const lines = (title: string, old: readonly string[], next: readonly string[], around: number): Compared =>
    toCompared(title, diffLines(old.map(plain), next.map(plain), around), old.length + next.length === 0);
  return [
    lines('Request line', [lineOf(before)], [lineOf(after)], 0),
    lines('Request headers', headersOf(before.request.headers), headersOf(after.request.headers), 0),
    bodies(
      'Request body',
      before.request.body,
      after.request.body,
      isForm(before.request.headers) && isForm(after.request.headers),
    ),
    lines('Outcome', [outcomeOf(before)], [outcomeOf(after)], 0),
    lines('Response headers', answered(before), answered(after), 0),
    bodies('Response body', before.response.body, after.response.body),
  ];
}

function toCompared(title: string, lines: readonly DiffLine[], isEmpty: boolean): Compared {
  if (isEmpty) return { title, lines, differs: false, says: 'Neither has one.' };
  const differs = lines.length > 0;
  return { title, lines, differs, says: differs ? null : 'The same in both.' };
}

function bodies(title: string, before: BytesView | null, after: BytesView | null, areForms = false): Compared {
  const [old, next] = [before?.data ?? '', after?.data ?? ''];
  const isText = (before?.encoding ?? 'utf8') === 'utf8' && (after?.encoding ?? 'utf8') === 'utf8';
  if (old === next && before?.encoding === after?.encoding) return toCompared(title, [], old === '');
  if (isText && Math.max(old.length, next.length) <= largest)
    return toCompared(title, diffBodies(old, next, { around: 2, areForms }), false);
  const sizes = `${toBytes(before?.bytes ?? 0)} and ${toBytes(after?.bytes ?? 0)}`;
  const why = isText ? 'too large to compare line by line' : 'no text';
  return { title, lines: [], differs: true, says: `They differ: ${sizes}, ${why}.` };
}

const lineOf = ({ method, url }: RequestView): string => `${method} ${url}`;

function outcomeOf({ status, refusal, failure, fault }: RequestView): string {
  const why = refusal?.rule ?? (fault === null ? (failure ?? '') : 'by a fault');
  return `${status ?? 'no answer'}${why === '' ? '' : `, ${why}`}`;
}

const headersOf = (headers: readonly (readonly [string, string])[]): readonly string[] =>
  headers.flatMap(([name, value]) =>
    passing.has(name.toLowerCase()) ? [] : [`${name.toLowerCase()}: ${toHeaderText(value)}`],
  );

const answered = ({ response }: RequestView): readonly string[] => headersOf(Object.entries(response.headers));

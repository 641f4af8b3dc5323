import type { RequestView } from '../../emulator/control/calls.ts';
import { excerpt, plain } from './diff.ts';
import { toSpot } from './explain.ts';
import { toFieldPointer, toFormLines } from './form-lines.ts';
import { toHeaderText } from './header-text.ts';
import { brokenAt, isBroken, leaveOutRows, narrowTo, toJsonLines, toPlainLines, type Line } from './json-lines.ts';

/** The place of a refusal, in words and as lines of the request. */
export interface Where {
  readonly name: string;
  /** The JSON pointer of the value; null outside JSON. Its line is in `lines`, or the value is missing there. */
  readonly pointer: string | null;
  readonly lines: readonly Line[];
}

/**
 * Locates a refusal in a request: a piece of the body, the header, the field or the request line.
 * @param text the body as text; '' if it is not text, or too large
 * @param pointers values of the body that are each on a line of their own
 * @returns null if nothing was refused, or the body cannot be shown
 */
export function toWhere(view: RequestView, text: string, pointers: readonly string[]): Where | null {
  const { refusal } = view;
  if (!refusal) return null;
  const { in: part, at } = refusal.place;
  switch (part) {
    case 'body':
      return text === '' ? null : inBody(refusal, text, pointers);
    case 'form': {
      const fields = text === '' ? [] : toFormLines(text);
      const lines = fields.filter(({ pointer }) => pointer === toFieldPointer(at));
      return { name: `form field ${at}`, pointer: null, lines };
    }
    case 'header': {
      const header = view.request.headers.find(([name]) => name.toLowerCase() === at.toLowerCase());
      const lines = header ? [plain(`${header[0]}: ${toHeaderText(header[1])}`)] : [];
      return { name: `header ${at}`, pointer: null, lines };
    }
    case 'query':
      return inRequestLine(view, `query parameter ${at}`);
    case 'path':
      return inRequestLine(view, at === '' ? 'the path' : `path parameter ${at}`);
    case 'method':
      return inRequestLine(view, 'the method');
  }
}

const inRequestLine = ({ method, url }: RequestView, name: string): Where => ({
  name,
  pointer: null,
  lines: [plain(`${method} ${url}`)],
});

function inBody(refusal: NonNullable<RequestView['refusal']>, text: string, pointers: readonly string[]): Where {
  const { at } = refusal.place;
  const lines = toJsonLines(text, [at, ...pointers]);
  if (!lines) return { name: 'the body', pointer: null, lines: toRawExcerpt(text) };
  const name = at === '' ? 'the whole body' : at;
  const spot = toSpot(refusal);
  if (!spot) return { name, pointer: at, lines: excerpt(lines, at) };
  const around = excerpt(narrowTo(lines, at, spot), at);
  return {
    name: `${name}, line ${spot.line}, column ${spot.column}`,
    pointer: at,
    lines: around.map((line) => leaveOutRows(line, ({ pointer }) => pointer === at)),
  };
}

/** For a body that is not valid JSON: the lines around the character that makes it invalid, as they were sent. */
function toRawExcerpt(raw: string): readonly Line[] {
  const lines = toPlainLines(raw, brokenAt(raw));
  const at = lines.findIndex(isBroken);
  return at === -1 ? lines.slice(0, 6) : lines.slice(Math.max(0, at - 2), at + 3);
}

/** Changes at some places of a text, after which all else is as it was written. */

/** A part of a text, and what to write there instead. */
export interface TextChange {
  readonly start: number;
  /** The position after the part; that of `start` if nothing is replaced. */
  readonly end: number;
  readonly text: string;
}

/** The text after some changes. Null if two of them overlap. */
export function changeText(text: string, changes: readonly TextChange[]): string | null {
  const parts: string[] = [];
  let done = 0;
  for (const change of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (change.start < done) return null;
    parts.push(text.slice(done, change.start), change.text);
    done = change.end;
  }
  return [...parts, text.slice(done)].join('');
}

/** A text in quotation marks that neither JSON nor GraphQL has. With a backslash, it is not known what that escapes. */
export const otherQuotes =
  /'([^'\\\n]{0,9999})'|`([^`\\\n]{0,9999})`|[“”„]([^“”„"\\\n]{0,9999})[“”"]|[‘’]([^‘’'\\\n]{0,9999})[’']/y;

/** The text between such marks, in double quotation marks. */
export const inDoubleQuotes = (found: RegExpExecArray): string =>
  JSON.stringify(found.slice(1).find((text) => text !== undefined) ?? '');

/** The fix for such a text. */
export const sayQuotes = 'Write texts in double quotation marks.';

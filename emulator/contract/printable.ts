/**
 * What a terminal or a page obeys or does not show: control characters, and marks that turn the direction of text around or have no
 * width. The two joiners are part of words and of emoji, and tags behind a flag say which one it is.
 */
const unprintable =
  /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,6})[\u{e0020}-\u{e007f}]|(?![\p{Join_Control}\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const pageParts = new RegExp(`((?!\\n|\\t|\\r\\n)(?:${unprintable.source}))`, 'u');

/** Text for a terminal: what could move the cursor, change colours or hide text is written out. Line breaks and tabs stay. */
export function toPrintable(text: string): string {
  return text.replaceAll(unprintable, (character) => (/[\n\t]/.test(character) ? character : writeOut(character)));
}

/** The same for text that is a part of one line: its line breaks are written out too, else they would begin a line of their own. */
export function toPrintableLine(text: string): string {
  return text.replaceAll(unprintable, writeOut);
}

/** The same for a whole name: if it has only blanks, they are written out, because nothing of it would be seen. */
export function toPrintableName(name: string): string {
  return blank.test(name) ? [...name].map(writeOut).join('') : toPrintable(name);
}

const blank = /^[\p{Zs}\t\r\n]+$/u;

/**
 * The same for a page, which shows how a character is written out and keeps it for copies: such a character is a part. Line
 * breaks and tabs stay.
 * @param isName see `toPrintableName`
 */
export function toParts(
  text: string,
  isName = false,
): readonly { readonly text: string; readonly writtenOut: string | null }[] {
  if (isName && blank.test(text)) return [...text].map((one) => ({ text: one, writtenOut: writeOut(one) }));
  return text
    .split(pageParts)
    .map((part, index) => ({ text: part, writtenOut: index % 2 === 1 ? writeOut(part) : null }));
}

/** `\x1b`, `\u202e`, `\u{e0001}`. */
function writeOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/**
 * Characters that a terminal or a page obeys or does not show: control characters, and marks that turn the direction of
 * text around or have no width. Not included are the two joiners, which are part of words and of emoji, and the tags
 * behind a flag, which say which flag it is.
 */
const unprintable =
  /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,6})[\u{e0020}-\u{e007f}]|(?![\p{Join_Control}\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const pageParts = new RegExp(`((?!\\n|\\t|\\r\\n)(?:${unprintable.source}))`, 'u');

/**
 * Text for a terminal: characters that could move the cursor, change colours or hide text are escaped. Line breaks and
 * tabs stay.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(unprintable, (character) => (/[\n\t]/.test(character) ? character : writeOut(character)));
}

/** Like `toPrintable`, for a part of a line: escapes line breaks too, because they would begin a line of their own. */
export function toPrintableLine(text: string): string {
  return text.replaceAll(unprintable, writeOut);
}

/** JSON with these characters as the escapes of JSON, so that it still means the same. */
export function toPrintableJson(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Like `toPrintable`, for a whole name: escapes a name that has only blanks, because it would be invisible. */
export function toPrintableName(name: string): string {
  return blank.test(name) ? [...name].map(writeOut).join('') : toPrintable(name);
}

const blank = /^[\p{Zs}\t\r\n]+$/u;

/**
 * Like `toPrintable`, for a page. Each escaped character is a part of its own, so that the page can show the escape and
 * keep the character for copies. Line breaks and tabs stay.
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

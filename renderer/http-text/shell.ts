/** The text as one word of a command for a POSIX shell, whatever is in it. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same, as it is where no shell needs quotation marks: for commands that people read. */
export function toShellWord(text: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(text)) return text;
  // A path of Windows: its shells know only this mark, which no such path has.
  return /^[A-Za-z]:\\/.test(text) ? `"${text}"` : quote(text);
}

/** Quotes any text as one word of a command for a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Like `quote`, for commands that people read: adds quotation marks only if a shell needs them. */
export function toShellWord(text: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(text)) return text;
  // A Windows path needs double quotes, the only ones its shells know. Such a path contains none.
  return /^[A-Za-z]:\\/.test(text) ? `"${text}"` : quote(text);
}

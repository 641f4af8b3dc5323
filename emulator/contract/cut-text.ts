/** A text of at most `length` UTF-16 units, which ends in … if it was longer. Half of a character is left out: alone it is not a text. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

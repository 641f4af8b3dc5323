/** Numbers of a JSON text that JavaScript, like most programs, reads as others. */

/** Whether a text may have such a number: cheap, because nearly no text has. Also digits inside of texts match. */
export const mayChange = /\d{16,}|\d[\d.]*[eE]\+?\d{3,}/;

/** A JSON text, or a number outside of one. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A whole number that loses digits: it is beyond 2^53, and the nearest number that can be stored is another one. */
interface ChangedNumber {
  readonly sent: string;
  readonly read: string;
}

/** The whole numbers in a valid JSON text that are read as others, each once. */
function findChangedNumbers(text: string): readonly ChangedNumber[] {
  const found = new Map<string, ChangedNumber>();
  for (const [sent] of text.matchAll(tokens)) {
    if (!/^-?\d{16,}$/.test(sent) || !Number.isFinite(Number(sent))) continue;
    const read = BigInt(Number(sent));
    if (read !== BigInt(sent)) found.set(sent, { sent, read: read.toString() });
  }
  return [...found.values()];
}

const cut = (digits: string): string => (digits.length > 40 ? `${digits.slice(0, 40)}…` : digits);

/** Tells of each number in a JSON text that loses digits where it is read. */
export function tellChangedNumbers(text: string, note: (remark: string) => void): void {
  for (const { sent, read } of findChangedNumbers(text))
    note(
      `The number ${cut(sent)} was read as ${cut(read)}: a number keeps about 16 digits. Send a text to keep all of them.`,
    );
}

/** The text with each number that is too large to be stored as one as a text: `1e400` → `"1e400"`. */
export function quoteInfinite(text: string): string {
  return text.replaceAll(tokens, (token) =>
    token.startsWith('"') || Number.isFinite(Number(token)) ? token : `"${token}"`,
  );
}

/**
 * The probable meaning of texts that do not have the wanted form: the one reading that a person would also choose. Null
 * if there is none, or several: a fix that names another person does harm.
 */
import { distance } from 'fastest-levenshtein';
import { toAmount } from './digits.ts';
import { isAmount, isCurrency, isE164, isEmail, isHttpUrl, toEpoch } from './formats.ts';

/** A phone in E.164 form. */
interface MeantPhone {
  readonly phone: string;
  /** What must be so for it to be the one that was meant: `this is …`; null if it is for certain. */
  readonly condition: string | null;
}

/** Without the characters that are not seen, such as the marks around a number that was copied from a contact. */
const withoutUnseen = (text: string): string => text.replaceAll(/\p{Cf}/gu, '');

const ofNorthAmerica = 'this is a number of the US or Canada';

/**
 * Reads `00` as the plus sign, ten digits as a North American number if they can be one (an area code and an exchange
 * begin with 2 to 9, and no area code has a 9 in the middle), and more digits as a number with its country code.
 */
export function readPhone(text: string): MeantPhone | null {
  const [number = ''] = withoutUnseen(text.normalize('NFKC'))
    .replace(/^\s*tel:/i, '')
    .split(/[;,x]|ext/i);
  // `(0)` is dialled only inside the country: `+44 (0)20 7946 0958`.
  const spoken = number.replace('(0)', '').trim();
  if (!/^[+\d\s().\-\u2010-\u2015/]+$/.test(spoken)) return null;
  const digits = spoken.replaceAll(/\D/g, '');
  const [meant, condition] = (() => {
    if (spoken.startsWith('+')) return [digits, null];
    if (digits.startsWith('00')) return [digits.slice(2), null];
    if (/^1?[2-9][0-8]\d[2-9]\d{6}$/.test(digits)) return [digits.replace(/^1?/, '1'), ofNorthAmerica];
    return [digits.length > 10 && !digits.startsWith('1') ? digits : '', 'this number begins with its country code'];
  })();
  return isE164(`+${meant}`) ? { phone: `+${meant}`, condition } : null;
}

/** The phone number in E.164 form, as `readPhone` reads it. */
export const meantPhone = (text: string): string | null => readPhone(text)?.phone ?? null;

/** Asks whether a phone in E.164 form was meant, as a sentence after another one; empty if none, or that form, was. */
export function askMeantPhone(sent: string): string {
  const meant = meantPhone(sent);
  return meant === null || meant === sent ? '' : ` Did you mean ${meant}?`;
}

/** Says what to send instead of a phone that is not E.164. If it has the form, says what is wrong with its digits. */
export function sayE164(sent: string): string {
  const { phone = '+15555550100', condition = null } = readPhone(sent) ?? {};
  const such = `such as ${phone}${condition === null ? '' : ` if ${condition}`}`;
  const [, digits] = /^\+(\d+)$/.exec(sent) ?? [];
  if (digits === undefined)
    return `Send a plus sign, the country code and digits, without spaces or separators, ${such}.`;
  if (digits.startsWith('0')) return `No country code begins with 0: send the number with its country code, ${such}.`;
  return `It has ${toAmount(digits.length, 'digit')}: send 7 to 15, with the country code, ${such}.`;
}

/**
 * The email address without the spaces, the name or the brackets around it, the second @ and what is not seen. With a
 * space inside it is not clear where it begins.
 * @param isQuery whether the text is from a query, where a raw plus sign is read as a space
 */
export function meantEmail(text: string, isQuery = false): string | null {
  const plain = withoutUnseen(text.normalize('NFKC')).replace(/^\s*mailto:([^?]*)(?:\?[^]*)?$/i, '$1');
  const [, inBrackets] = /<([^<>]*)>\s*$/.exec(plain) ?? [];
  const email = (isQuery && hasRawPlus(text) ? text.replaceAll(' ', '+') : (inBrackets ?? plain))
    .trim()
    .replaceAll(/@+/g, '@')
    .replace(/[.,;]$/, '');
  return isEmail(email) ? email : null;
}

/** Whether a text from a query is an email address if its spaces are plus signs that were sent raw. */
export function hasRawPlus(text: string): boolean {
  return /^[^\s@]+(?: [^\s@]+)+@\S+$/.test(text) && isEmail(text.replaceAll(' ', '+'));
}

/** The sentence that a message adds for such an address. */
export const sayRawPlus = ' A raw plus sign in a query means a space: encode it as %2B.';

/** The web address with the scheme that it lacks: http for this machine, https for any other. */
export function meantUrl(text: string): string | null {
  const plain = withoutUnseen(text).trim();
  if (isHttpUrl(plain)) return plain;
  const [address, host] =
    /^(?:\/\/)?(localhost|127\.\d+\.\d+\.\d+|\[::1\]|(?:[a-z\d-]+\.)+[a-z]{2,})(?::\d+)?(?:[/?#].*)?$/i.exec(plain) ??
    [];
  if (address === undefined || host === undefined) return null;
  const scheme = /^(?:localhost|127\.|\[)/i.test(host) ? 'http' : 'https';
  const url = `${scheme}://${address.replace(/^\/\//, '')}`;
  return isHttpUrl(url) ? url : null;
}

/**
 * The amount of money as digits, with a point before the decimals. Commas and points between groups of three digits are
 * left out. `1,299` has two readings, so it gives null.
 * @param currency the value sent as the currency code; the amount may have this code or a symbol of it, and no other
 */
export function meantAmount(text: string, currency: unknown = null): string | null {
  if (text.length > 40) return null;
  const plain = withoutCurrency(withoutUnseen(text.normalize('NFKC')), currency);
  if (/^\d+,\d\d?$/.test(plain)) return plain.replace(',', '.');
  if (/^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/.test(plain)) return plain.replaceAll(',', '');
  if (/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(plain)) return plain.replaceAll('.', '').replace(',', '.');
  const number = /^(?:\d+|\d*\.\d+|\d+\.)(?:e[+-]?\d{1,2})?$/i.test(plain) ? String(Number(plain)) : '';
  return isAmount(number) ? (isAmount(plain) ? plain : number) : null;
}

/** The currency code that a value means; null if none. */
export function meantCurrency(value: unknown): string | null {
  const capitals = typeof value === 'string' ? withoutUnseen(value).trim().toUpperCase() : '';
  return isCurrency(capitals) ? capitals : null;
}

/** An amount without the code or the symbol of its currency before or after it. */
export function withoutCurrency(text: string, currency: unknown): string {
  const code = meantCurrency(currency);
  const plain = text.trim();
  for (const mark of code === null ? [] : marksOf(code)) {
    if (plain.startsWith(mark)) return plain.slice(mark.length).trim();
    if (plain.endsWith(mark)) return plain.slice(0, -mark.length).trim();
  }
  return plain;
}

const marksByCurrency = new Map<string, readonly string[]>();

/** How amounts in a currency are marked: `USD` and `$`, `CAD`, `CA$` and `$`. */
function marksOf(currency: string): readonly string[] {
  const known = marksByCurrency.get(currency);
  if (known) return known;
  const symbols = (['symbol', 'narrowSymbol'] as const).map(
    (currencyDisplay) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
  );
  const marks = [currency, ...symbols];
  marksByCurrency.set(currency, marks);
  return marks;
}

/** The value as a text. Null for a number with more than 15 digits, which may have lost some when it was read. */
export function meantText(value: string | number | boolean): string | null {
  const text = String(value);
  return typeof value === 'number' && !/^\d{1,15}$/.test(text.replace('-', '').replace('.', '')) ? null : text;
}

/** The number that a text means: an amount as `meantAmount` reads it, with any sign. */
export function meantNumber(text: string, currency: unknown = null): number | null {
  const [, sign = '', size = ''] = /^\s*([+-]?)(.*)$/s.exec(withoutUnseen(text)) ?? [];
  const amount = meantAmount(size, currency);
  return amount === null ? null : Number(sign + amount);
}

const answers: { readonly [word: string]: boolean } = {
  true: true,
  yes: true,
  y: true,
  on: true,
  1: true,
  false: false,
  no: false,
  n: false,
  off: false,
  0: false,
};

/** True for `yes`, `on` or 1, false for their opposites, null for anything else. */
export function meantBoolean(sent: string | number): boolean | null {
  const word = withoutUnseen(String(sent)).trim().toLowerCase();
  return Object.hasOwn(answers, word) ? (answers[word] ?? null) : null;
}

/**
 * The one known word that differs from a text by one letter, by two swapped letters, or only in case, spaces and
 * hyphens. All other characters must be the same, and a word of less than four must have the same letters: `size 8` is
 * not `size 9`, `C#` not `C`.
 */
export function meantWord(text: string, known: readonly string[]): string | null {
  const sent = toLetters(text);
  if (sent === '') return null;
  const isNear = (word: string): boolean => {
    if (word === sent) return true;
    if (word.length < 4 || withoutLetters(word) !== withoutLetters(sent)) return false;
    const far = distance(word, sent);
    return far === 1 || (far === 2 && toSorted(word) === toSorted(sent));
  };
  const near = known.filter((word) => isNear(toLetters(word)));
  const [only, ...others] = near.filter((word) => toLetters(word) === sent).concat(near);
  return only !== undefined && others.every((other) => other === only) ? only : null;
}

/**
 * The only known name that begins or ends with all words of another one, or the other way round: `subscriberPhone` for
 * `phone`, `email` for `email_address`.
 */
export function withSameWords(name: string, known: readonly string[]): string | null {
  const sent = toWords(name);
  const [only, ...others] = known.filter((other) => shareWords(sent, toWords(other)));
  return only !== undefined && others.length === 0 ? only : null;
}

const toWords = (name: string): readonly string[] =>
  name
    .slice(0, 300)
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);

function shareWords(one: readonly string[], other: readonly string[]): boolean {
  const [less, more] = one.length < other.length ? [one, other] : [other, one];
  // A short word such as `id` is in the names of different things.
  if (less.join('').length < 3) return false;
  const isSame = (part: readonly string[]): boolean => part.every((word, index) => word === less[index]);
  return isSame(more.slice(0, less.length)) || isSame(more.slice(-less.length));
}

/** In lower case, without spaces and underscores that are not between digits, or hyphens and points between letters. */
const toLetters = (text: string): string =>
  text
    // Comparing a text of many thousand characters takes long.
    .slice(0, 300)
    .normalize()
    .toLowerCase()
    // Joiners are part of words and of emoji, and tags of flags.
    .replaceAll(/(?![\p{Join_Control}\u{e0020}-\u{e007f}])\p{Cf}/gu, '')
    .replaceAll(/(?<![\p{N}\s_])[\s_]+|[\s_]+(?![\p{N}\s_])/gu, '')
    .replaceAll(/(?<=\p{L})[.-]+(?=\p{L})/gu, '');
const withoutLetters = (text: string): string => text.replaceAll(/\p{L}/gu, '');
const toSorted = (text: string): string => [...text].toSorted().join('');

/**
 * The time that was meant, in UTC, with all digits of its seconds. Reads a timestamp with a space for its T or with UTC
 * for its Z; a day, as its start; 24:00, as the start of the next day; and seconds or milliseconds since 1970.
 */
export function meantTime(sent: string | number): string | null {
  const text = withoutUnseen(String(sent)).trim();
  if (text.length > 60) return null;
  if (/^\d{13}$/.test(text)) return inUtc(Number(text), '');
  const [, seconds, fraction = ''] = /^(\d{10})(?:\.(\d+))?$/.exec(text) ?? [];
  if (seconds !== undefined) return inUtc(Number(`${seconds}${fraction.slice(0, 3).padEnd(3, '0')}`), fraction);
  if (/^\d{4}-?\d\d-?\d\d$/.test(text)) return inUtc(toEpoch(`${text}T00:00Z`), '');
  const written = text
    .replace(/(?:utc|gmt)$/i, 'Z')
    .replace(/^([\d-]+)\s+(?=\d)/, '$1T')
    .replaceAll(/\s/g, '');
  const midnight = written.replace(/T24(?=(?::?00){1,2}(?:[.,]0+)?(?:Z|[+-]|$))/i, 'T00');
  const time = toEpoch(midnight);
  const days = midnight === written ? 0 : 1;
  return inUtc(time === null ? null : time + days * 86_400_000, /[.,](\d+)/.exec(written)?.[1] ?? '');
}

/** Epoch milliseconds as a timestamp, with the digits of a fraction of a second that has more than three. */
function inUtc(ms: number | null, fraction: string): string | null {
  const date = new Date(ms ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return fraction.length > 3 ? `${text.slice(0, -4)}${fraction}Z` : text;
}

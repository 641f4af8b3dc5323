/**
 * The usual mistakes that receivers make with a body, a key and the signed text, each with a description. Pure. The
 * first form of each list is the right one.
 */
import { jsonOf } from '../../contract/json-of.ts';

export interface Form<Value> {
  readonly value: Value;
  /**
   * The receiver's mistake, in the past: `took the body as it was laid out by a JSON library`. '' for the right form.
   */
  readonly says: string;
  /** What to do instead. */
  readonly fix: string;
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const rawFix = 'Hash the bytes as they came, before any JSON or body parser touches them.';
const bytesFix = 'Hash the bytes themselves, without making a text of what holds them.';

/** The body as receivers hash it. */
export function bodyForms(body: string): readonly Form<Buffer>[] {
  const wrong = (value: string | Buffer, says: string, fix = rawFix): Form<Buffer> => ({
    value: typeof value === 'string' ? utf8(value) : value,
    says,
    fix,
  });
  const parsed = toParsed(body);
  return distinct([
    { value: utf8(body), says: '', fix: '' },
    ...(parsed === undefined
      ? []
      : [
          wrong(JSON.stringify(parsed), 'parsed the JSON and wrote it again without spaces'),
          wrong(JSON.stringify(parsed, null, 2), 'parsed the JSON and wrote it again, indented by 2'),
          wrong(JSON.stringify(parsed, null, 4), 'parsed the JSON and wrote it again, indented by 4'),
          wrong(toSpaced(parsed), 'parsed the JSON and wrote it again with spaces after : and , as json.dumps does'),
          wrong(
            escaped(toSpaced(parsed)),
            'parsed the JSON and wrote it again with spaces and \\u escapes, as json.dumps does',
          ),
          wrong(escaped(JSON.stringify(parsed)), 'parsed the JSON and wrote it again with \\u escapes'),
          wrong(
            slashed(JSON.stringify(parsed)),
            'parsed the JSON and wrote it again with \\/ for /, as json_encode does',
          ),
          wrong(
            slashed(escaped(JSON.stringify(parsed))),
            'parsed the JSON and wrote it again with \\/ for / and \\u escapes, as json_encode does',
          ),
          wrong(
            slashed(escaped(JSON.stringify(parsed, null, 4))),
            'parsed the JSON and wrote it again with \\/ for / and \\u escapes, indented by 4, as json_encode does',
          ),
          wrong(
            escapedForHtml(JSON.stringify(parsed)),
            'parsed the JSON and wrote it again with \\u escapes for <, > and &, as Go and Rails do',
          ),
          wrong(JSON.stringify(sorted(parsed)), 'parsed the JSON and wrote it again with its names sorted'),
          wrong(
            escapedForHtml(JSON.stringify(sorted(parsed))),
            'parsed the JSON and wrote it again with its names sorted and \\u escapes for <, > and &, as Go does with a map',
          ),
          wrong(
            escaped(JSON.stringify(sorted(parsed))),
            'parsed the JSON and wrote it again with its names sorted and \\u escapes',
          ),
          wrong(toSpaced(sorted(parsed)), 'parsed the JSON and wrote it again with its names sorted and with spaces'),
        ]),
    wrong(JSON.stringify(body), 'took the body for a text and wrote it as a JSON string'),
    wrong(`${body}\n`, 'hashed a line break after the body'),
    wrong(`${body}\r\n`, 'hashed a CRLF after the body'),
    wrong(body.trim(), 'took the white space around the body away'),
    wrong(`\uFEFF${body}`, 'hashed a byte order mark before the body'),
    wrong(Buffer.from(body, 'latin1'), 'read the body as Latin-1, so letters beyond ASCII changed'),
    wrong(
      utf8(utf8(body).toString('latin1')),
      'decoded the bytes as Latin-1 and encoded them as UTF-8 again, so letters beyond ASCII changed',
    ),
    wrong(Buffer.from(body, 'utf16le'), 'hashed the body as UTF-16'),
    wrong(utf8(body).toString('base64'), 'hashed the base64 of the body'),
    wrong(utf8(body).toString('hex'), 'hashed the hex of the body'),
    wrong(encodeURIComponent(body.replace(/\p{Surrogate}/gu, '\uFFFD')), 'hashed the body with % escapes'),
    wrong('[object Object]', 'hashed "[object Object]": a parsed body that was made a text'),
    wrong('[object Promise]', 'hashed "[object Promise]": a body that was not awaited', 'Await the body, and hash it.'),
    wrong('[object ReadableStream]', 'hashed "[object ReadableStream]": the stream, and not what it brings', bytesFix),
    wrong('[object ArrayBuffer]', 'hashed "[object ArrayBuffer]": bytes that were made a text', bytesFix),
    wrong(JSON.stringify(utf8(body)), 'hashed the JSON of a Buffer: {"type":"Buffer","data":[…]}', bytesFix),
    wrong(utf8(body).join(), 'hashed the bytes as a list of numbers', bytesFix),
    wrong('undefined', 'hashed "undefined": the field in which it looked for the body has none'),
    wrong(toPythonBytes(body), "hashed what str() makes of Python's bytes: b'…', and not the bytes"),
    wrong('', 'hashed no body at all: something had read it before'),
    wrong('{}', 'hashed "{}": the body parser was not there, or the body had been read before'),
  ]);
}

export interface KeyNames {
  readonly previous: string | null;
  readonly test: string;
  /** Keys that may be mistaken for the right one, each with a name: `the API key of the app Shop`. */
  readonly others: readonly NamedKey[];
  /** More of these, tried only with no other mistake: combined with every mistake they would take seconds. */
  readonly older: readonly NamedKey[];
  /** The number of further keys, which are not tried. */
  readonly untried: number;
}

export interface NamedKey {
  readonly key: string;
  readonly name: string;
}

/** A key that was taken for the signing key. */
export function otherKey({ key, name }: NamedKey): Form<Buffer> {
  return { value: utf8(key), says: `used ${name}`, fix: 'Take the signing key of this webhook.' };
}

/** The key as receivers take it. Both ways of signing use the UTF-8 bytes of the signing key. */
export function keyForms(
  key: string,
  { previous, test, others }: Pick<KeyNames, 'previous' | 'test' | 'others'>,
): readonly Form<Buffer>[] {
  const base64 = utf8(key).toString('base64');
  const fix =
    'For x-attentive-hmac-sha256 take the signing key as text; libraries of Standard Webhooks take the whsec_ form and decode it themselves.';
  const wrong = (value: string | Buffer, says: string, how = fix): Form<Buffer> => ({
    value: typeof value === 'string' ? utf8(value) : value,
    says,
    fix: how,
  });
  return distinct([
    { value: utf8(key), says: '', fix: '' },
    wrong(`whsec_${base64}`, 'used the whsec_ form as text, without decoding it'),
    wrong(base64, 'used the base64 of the key as text, without decoding it'),
    wrong(Buffer.from(key, 'base64'), 'decoded the signing key as base64; the text itself is the key'),
    wrong(Buffer.from(key.replace(/^whsec_/, ''), 'base64url'), 'decoded the signing key as base64'),
    wrong(Buffer.from(key, 'hex'), 'decoded the signing key as hex; the text itself is the key'),
    wrong(Buffer.from(`whsec_${base64}`, 'base64'), 'decoded the whsec_ form with its prefix'),
    wrong(utf8(key).toString('hex'), 'used the hex of the key as text'),
    wrong(`${key}\n`, 'used the key with a line break at its end, as files and some secret stores keep it'),
    wrong(` ${key}`, 'used the key with a space before it'),
    wrong(`${key} `, 'used the key with a space after it'),
    wrong(`"${key}"`, 'used the key with its quotation marks', 'Take the quotation marks out of the setting.'),
    wrong(`'${key}'`, 'used the key with its quotation marks', 'Take the quotation marks out of the setting.'),
    wrong(key.toLowerCase(), 'used the key in lower case'),
    wrong('', 'used an empty key', 'The setting with the key was not read.'),
    wrong('undefined', 'used the word "undefined" as the key', 'The setting with the key was not read.'),
    wrong(
      test,
      'used the test key, which only signs events to an address given by hand',
      'Take the key of this webhook.',
    ),
    ...(previous === null
      ? []
      : [wrong(previous, 'used the key from before the rotation', 'Take the new key over before the overlap ends.')]),
    ...others.map(otherKey),
  ]);
}

/** The text around the body, as receivers sign it. */
export function textForms(
  scheme: 'hex' | 'standard',
  id: string,
  timestamp: string,
): readonly Form<(body: Buffer) => Buffer>[] {
  const after =
    (before: string) =>
    (body: Buffer): Buffer =>
      Buffer.concat([utf8(before), body]);
  const standardFix = 'Sign webhook-id, a dot, webhook-timestamp, a dot and the body.';
  const forms = [
    { kind: 'hex', value: after(''), says: 'signed the body alone' },
    {
      kind: 'standard',
      value: after(`${id}.${timestamp}.`),
      says: 'signed id, timestamp and body, which is the way of webhook-signature',
    },
    { kind: '', value: after(`${timestamp}.${id}.`), says: 'signed the timestamp before the id' },
    { kind: '', value: after(`${timestamp}.`), says: 'signed timestamp and body, without the id' },
    { kind: '', value: after(`${id}.`), says: 'signed id and body, without the timestamp' },
    { kind: '', value: after(`${id}${timestamp}`), says: 'signed id, timestamp and body without the dots' },
    {
      kind: '',
      value: after(`${id}.${timestamp}000.`),
      says: 'signed the timestamp in milliseconds; the header has seconds',
    },
    { kind: '', value: after(`undefined.${timestamp}.`), says: 'signed "undefined" instead of the id' },
    {
      kind: '',
      value: after('undefined.undefined.'),
      says: 'signed "undefined" instead of id and timestamp: the headers were not read',
    },
    { kind: '', value: after('..'), says: 'signed nothing instead of id and timestamp: the headers were not read' },
    { kind: '', value: after(`${timestamp}:`), says: 'signed timestamp, a colon and the body' },
    { kind: '', value: after(`v1:${timestamp}:`), says: 'signed v1, timestamp and body with colons' },
  ];
  const fix = scheme === 'hex' ? 'x-attentive-hmac-sha256 signs the body alone, nothing before it.' : standardFix;
  return forms
    .toSorted((one, other) => Number(other.kind === scheme) - Number(one.kind === scheme))
    .map(({ kind, value, says }) => (kind === scheme ? { value, says: '', fix: '' } : { value, says, fix }));
}

function toParsed(text: string): unknown {
  return isDeep(text) ? undefined : jsonOf(text);
}

/** Whether a text is nested deeper than any payload of ours, and than is safe to walk. */
function isDeep(text: string): boolean {
  let [depth, deepest] = [0, 0];
  for (const letter of text) {
    if (letter === '{' || letter === '[') deepest = Math.max(deepest, (depth += 1));
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return deepest > 200;
}

/** A text as Python's str() writes its bytes. */
function toPythonBytes(text: string): string {
  const written = utf8(text.replace(/[\\']/g, '\\$&'))
    .toString('latin1')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/[^ -~]/g, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `b'${written}'`;
}

/** A value as Python's json.dumps writes it. */
function toSpaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSpaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${toSpaced(one)}`)
    .join(', ')}}`;
}

function escaped(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const slashed = (text: string): string => text.replaceAll('/', '\\/');

function escapedForHtml(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

/** Removes forms whose value equals that of an earlier one. */
function distinct(forms: readonly Form<Buffer>[]): readonly Form<Buffer>[] {
  const known = new Set<string>();
  return forms.filter(({ value }) => {
    const key = value.toString('latin1');
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

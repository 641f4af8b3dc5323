import type { Draft } from './apply-fix.ts';
import { toHeaderBytes } from './header-text.ts';

/** A command that cannot be read as one request. The message says why, and what to do. */
export class CurlProblem extends Error {}

/** Whether a text begins as a curl command, with or without the prompt of a shell. */
export const isCurl = (text: string): boolean => /^\s*(?:[$%>]\s+)?curl(?:\.exe)?\s/.test(text);

/**
 * Reads the request of a curl command for a POSIX shell, as documents and browsers write them. What follows the command,
 * such as `| jq`, is left out, and so are options that do not change the request.
 * @returns the request, with the path and query of its URL, whatever its host
 * @throws CurlProblem
 */
export function fromCurl(text: string): Draft {
  const [program, ...words] = toWords(text.replace(/^\s*(?:[$%>]\s+)?/, ''));
  if (!program || !/^curl(?:\.exe)?$/.test(program)) throw new CurlProblem('The text does not begin with curl.');
  const given = readOptions(words);
  const [url, ...more] = given.urls;
  if (url === undefined) throw new CurlProblem('The command names no URL.');
  if (more.length > 0) throw new CurlProblem('The command names several URLs. Paste one request at a time.');
  const data = given.data.length === 0 ? null : given.data.join(given.isJson ? '' : '&');
  const body = given.isGet ? null : data;
  const method = given.method ?? (given.isHead ? 'HEAD' : body === null ? 'GET' : 'POST');
  const path = toPath(url);
  return {
    method: method.toUpperCase(),
    url: given.isGet && data !== null ? `${path}${path.includes('?') ? '&' : '?'}${data}` : path,
    headers: toHeaders(given, body !== null),
    body: body === null ? null : { encoding: 'utf8', data: body },
  };
}

/** Splits a command into words, as a POSIX shell does, without replacing variables. Ends at `|`, `;`, `>` or `&&`. */
function toWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) return null;
    at += found.length;
    return found;
  };
  while (at < text.length) {
    if (take(/\\\r?\n/y) !== null) continue;
    if (take(/\s+/y) !== null) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (take(/[|;<>]|&&|&(?=\s|$)/y) !== null) break;
    const part =
      take(/'[^']*'/y)?.slice(1, -1) ??
      toAnsi(take(/\$'(?:[^'\\]|\\[^])*'/y)) ??
      take(/"(?:[^"\\]|\\[^])*"/y)
        ?.slice(1, -1)
        .replaceAll(/\\(?:\r?\n|(["\\$`]))/g, '$1') ??
      take(/\\[^]/y)?.slice(1) ??
      take(/[^\s'"\\|;<>$&]+|[$&]/y);
    if (part === null)
      throw new CurlProblem(`The quotation mark ${text[at]} at character ${at + 1} of the command is not closed.`);
    word = (word ?? '') + part;
  }
  return word === null ? words : [...words, word];
}

const ansi: { readonly [sign: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07' };

/** The text of `$'…'`, in which browsers write what is not ASCII. */
function toAnsi(quoted: string | null): string | null {
  return (
    quoted
      ?.slice(2, -1)
      .replaceAll(
        /\\(?:u([\da-f]{1,4})|U([\da-f]{1,8})|x([\da-f]{1,2})|([0-7]{1,3})|([^]))/gi,
        (_, short?: string, long?: string, byte?: string, octal?: string, sign = '') =>
          octal === undefined && sign !== ''
            ? (ansi[sign] ?? sign)
            : String.fromCodePoint(Number.parseInt(short ?? long ?? byte ?? octal ?? '', octal === undefined ? 16 : 8)),
      ) ?? null
  );
}

interface Given {
  readonly urls: string[];
  /** A value of null takes away the header that curl would add. */
  readonly headers: (readonly [name: string, value: string | null])[];
  readonly data: string[];
  method?: string;
  isGet?: boolean;
  isHead?: boolean;
  isJson?: boolean;
}

/** Options whose value does not change the request. */
const ignoredWithValue = new Set(
  '-o --output -w --write-out -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -x --proxy --cacert --cert --key -c --cookie-jar --resolve --max-redirs -D --dump-header --stderr --trace --trace-ascii --limit-rate --tls-max --interface --noproxy'.split(
    ' ',
  ),
);
const ignored = new Set(
  '--silent --show-error --fail --fail-with-body --include --verbose --insecure --location --globoff --compressed --http1.1 --http1.0 --http2 --no-buffer --progress-bar --path-as-is --ipv4 --ipv6 --no-progress-meter --retry-all-errors --retry-connrefused --tlsv1.2 --tlsv1.3 --ssl --raw --tcp-nodelay'.split(
    ' ',
  ),
);
const ignoredLetters = new Set('sSfivkLgN#46');

/** What each option means; the value of an option is the rest of its word, or the next word. */
const readers: { readonly [option: string]: (given: Given, value: string) => void } = {
  request: (given, value) => void (given.method = value),
  header: (given, value) => void given.headers.push(toHeader(value)),
  url: (given, value) => void given.urls.push(value),
  data: (given, value) => void given.data.push(notOfFile(value)),
  'data-raw': (given, value) => void given.data.push(value),
  'data-urlencode': (given, value) => void given.data.push(toEncoded(value)),
  json(given, value) {
    given.data.push(notOfFile(value));
    given.isJson = true;
  },
  user: (given, value) => void given.headers.push(['authorization', `Basic ${btoa(toHeaderBytes(value))}`]),
  'user-agent': (given, value) => void given.headers.push(['user-agent', value]),
  referer: (given, value) => void given.headers.push(['referer', value]),
  cookie: (given, value) => void given.headers.push(['cookie', value]),
  'oauth2-bearer': (given, value) => void given.headers.push(['authorization', `Bearer ${value}`]),
  form: () => refuseFile('The command sends a form with files (-F)'),
  'upload-file': (_given, value) => refuseFile(`The command sends the file ${value}`),
};
const sameAs: { readonly [option: string]: string } = {
  'data-ascii': 'data',
  'data-binary': 'data',
  'form-string': 'form',
};
const letters: { readonly [letter: string]: string } = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  F: 'form',
  T: 'upload-file',
};

function readOptions(words: readonly string[]): Given {
  const given: Given = { urls: [], headers: [], data: [] };
  const left = [...words];
  const valueOf = (option: string, rest = ''): string => {
    const value = rest === '' ? left.shift() : rest;
    if (value === undefined) throw new CurlProblem(`The option ${option} has no value.`);
    return value;
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word.startsWith('--')) {
      const name = sameAs[word.slice(2)] ?? word.slice(2);
      if (name === 'get') given.isGet = true;
      else if (name === 'head') given.isHead = true;
      else if (Object.hasOwn(readers, name)) readers[name]?.(given, valueOf(word));
      else if (ignoredWithValue.has(word)) valueOf(word);
      else if (!ignored.has(word)) throw new CurlProblem(`The option ${word} is not known here. Take it out.`);
    } else if (word.startsWith('-') && word !== '-') readLetters(given, word, valueOf);
    else given.urls.push(word);
  }
  return given;
}

/** Reads `-sS` and `-XPOST`: letters without a value, and then perhaps one with the rest of the word as its value. */
function readLetters(given: Given, word: string, valueOf: (option: string, rest?: string) => string): void {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] ?? '';
    const name = letters[letter];
    const option = `-${letter}`;
    if (name !== undefined) return readers[name]?.(given, valueOf(option, word.slice(at + 1)));
    if (ignoredWithValue.has(option)) return void valueOf(option, word.slice(at + 1));
    if (letter === 'G') given.isGet = true;
    else if (letter === 'I') given.isHead = true;
    else if (!ignoredLetters.has(letter)) throw new CurlProblem(`The option ${option} is not known here. Take it out.`);
  }
}

/** `name: value`; `name;` for one without a value; `name:` takes one away. */
function toHeader(text: string): Given['headers'][number] {
  const [, name = '', sign = '', rest = ''] = /^([^:;]*)([:;]?)([^]*)$/.exec(text) ?? [];
  const value = rest.trim();
  if (name.trim() === '' || sign === '' || (sign === ';' && value !== ''))
    throw new CurlProblem(`${JSON.stringify(text)} is not a header. Write NAME: VALUE.`);
  return [name.trim(), sign === ':' && value === '' ? null : value];
}

function notOfFile(value: string): string {
  return value.startsWith('@') ? refuseFile(`The body is read from ${value.slice(1) || 'a file'}`) : value;
}

function refuseFile(what: string): never {
  throw new CurlProblem(`${what}, which a page cannot read. Put the text of the body into the command.`);
}

/** `name=value`, `=value` or `value`: only the value is encoded. */
function toEncoded(text: string): string {
  const [, name = '', value = ''] = /^(?:([^=@]*)=)?([^]*)$/.exec(text) ?? [];
  if (/^[^=]*@/.test(text) && !text.includes('=')) refuseFile('A part of the body is read from a file');
  return `${name === '' ? '' : `${name}=`}${encodeURIComponent(value)}`;
}

function toPath(url: string): string {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(whole)) throw new CurlProblem(`${JSON.stringify(url)} is not a URL.`);
  const { pathname, search } = new URL(whole);
  return pathname + search;
}

/** The headers of the command, and those that curl adds for a body. */
function toHeaders({ headers, isJson = false }: Given, hasBody: boolean): Draft['headers'] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const added = Object.entries({
    ...(hasBody ? { 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded' } : {}),
    ...(isJson ? { accept: 'application/json' } : {}),
  });
  const own = headers.flatMap(([name, value]) => (value === null ? [] : [[name, toHeaderBytes(value)] as const]));
  return [...own, ...added.filter(([name]) => !names.has(name))];
}

import type { Draft } from './apply-fix.ts';
import { toHeaderText } from './header-text.ts';
import { quote } from './shell.ts';
import { bytesOf } from './wire.ts';

/** A request to be shown as code. `base` is the server's root, such as `http://127.0.0.1:4747`. */
export interface Shown {
  readonly base: string;
  readonly draft: Draft;
  readonly status: number | null;
}

/** Headers that clients set themselves. */
const implied = new Set(['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent']);

function headersOf({ headers }: Draft): Draft['headers'] {
  return headers.filter(([name]) => !implied.has(name.toLowerCase()));
}

/** In bytes. Linux allows no argument of 128 KiB or more; the shell's own `printf` has no such limit. */
const longestArgument = 100_000;

/** Returns a command for a POSIX shell. */
export function toCurl({ base, draft }: Shown): string {
  const { url, body } = draft;
  const parts = [
    `curl ${optionsOf(draft)}${quote(base + url)}`,
    // This is the only form in which curl sends a header without a value.
    ...headersOf(draft).map(
      ([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${toHeaderText(value)}`)}`,
    ),
    // Keeps curl from adding its own content type.
    ...(body && !hasType(draft) ? [`-H 'content-type:'`] : []),
  ];
  if (!body) return toLines(parts);
  const { encoding, data } = body;
  const piped = toLines([...parts, '--data-binary @-']);
  if (encoding === 'base64') return `printf %s ${quote(data)} | base64 -d | ${piped}`;
  // No argument of a command can contain a NUL.
  if (data.includes('\0')) return `printf ${quote(toFormat(data))} | ${piped}`;
  if (bytesOf(data) > longestArgument) return `printf %s ${quote(data)} | ${piped}`;
  return toLines([...parts, `--data-raw ${quote(data)}`]);
}

const toLines = (parts: readonly string[]): string => parts.join(' \\\n  ');

/** Escapes a text for use as the format of `printf`. */
const toFormat = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\0', String.raw`\000`);

function optionsOf({ method, url, body }: Draft): string {
  const options = [
    // With `-X HEAD`, curl would wait for a body; with `--head` it does not.
    ...(method === 'HEAD' && !body ? ['--head'] : method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:\/|$)/.test(url.split('?')[0] ?? '') ? ['--path-as-is'] : []),
  ];
  return options.map((option) => `${option} `).join('');
}

const hasType = ({ headers }: Draft): boolean => headers.some(([name]) => name.toLowerCase() === 'content-type');

/** Returns a call of `fetch`. @param url the address as code */
export function toFetch({ base, draft }: Shown, url = JSON.stringify(base + draft.url)): string {
  const { method, body } = draft;
  const headers = headersOf(draft);
  const isRepeated = new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length;
  const isWithout = body !== null && ['GET', 'HEAD'].includes(method);
  const lines = [
    `  method: ${JSON.stringify(method)},`,
    ...(headers.length > 0
      ? [`  headers: ${indent(JSON.stringify(isRepeated ? headers : Object.fromEntries(headers), null, 2))},`]
      : []),
    ...(body && !isWithout ? [`  body: ${bodyCode(body, hasType(draft))},`] : []),
  ];
  const remark = isWithout ? `// fetch sends no body with ${method}, so it is left out here; curl sends it.\n` : '';
  return `${remark}const response = await fetch(${url}, {\n${lines.join('\n')}\n});`;
}

/** Returns a vitest test that sends the request to this server and expects the same status. */
export function toTest(shown: Shown): string {
  return `import { expect, test } from 'vitest';

${toTestBlock(shown, toFetch(shown))}`;
}

/** Like `toTest`, but with its own sandbox, so the test passes without this server. */
export function toOwnTest(shown: Shown): string {
  return `import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from 'sandpiper/testing';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.close());

${toTestBlock(shown, toFetch(shown, `new URL(${JSON.stringify(shown.draft.url)}, sandbox.apiUrl)`))}`;
}

function toTestBlock({ draft, status }: Shown, fetching: string): string {
  const path = draft.url.split('?')[0] ?? '';
  return `test(${JSON.stringify(`${draft.method} ${path} answers ${status ?? 'nothing'}`)}, async () => {
${indentAll(fetching)}
  expect(response.status).toBe(${status ?? 200});
});
`;
}

/** @param isTyped whether the request has a content type: `fetch` adds one to text, but not to bytes */
function bodyCode({ encoding, data }: NonNullable<Draft['body']>, isTyped: boolean): string {
  if (encoding === 'base64') return `Buffer.from(${JSON.stringify(data)}, 'base64')`;
  return isTyped ? textCode(data) : `Buffer.from(${textCode(data)})`;
}

function textCode(data: string): string {
  try {
    const text = JSON.stringify(JSON.parse(data), null, 2);
    // Only if nothing is lost: large numbers and duplicate keys do not survive parsing.
    if (JSON.stringify(JSON.parse(text)) === data.trim()) return `JSON.stringify(${indent(text)})`;
  } catch {
    // Not JSON: the text as it is.
  }
  return JSON.stringify(data);
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ');
const indentAll = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;

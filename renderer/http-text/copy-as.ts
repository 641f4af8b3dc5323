import type { Draft } from './apply-fix.ts';
import { quote } from './shell.ts';

/** A request as code. `base` is the server's root, such as `http://127.0.0.1:4747`. */
export interface Shown {
  readonly base: string;
  readonly draft: Draft;
  readonly status: number | null;
}

/** Clients set these themselves. */
const implied = new Set(['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent']);

function headersOf({ headers }: Draft): Draft['headers'] {
  return headers.filter(([name]) => !implied.has(name.toLowerCase()));
}

/** A command for a POSIX shell. */
export function toCurl({ base, draft }: Shown): string {
  const { method, url, body } = draft;
  const parts = [
    `curl ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}${quote(base + url)}`,
    ...headersOf(draft).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ];
  if (body?.encoding === 'utf8') parts.push(`--data-raw ${quote(body.data)}`);
  if (body?.encoding === 'base64')
    return `printf %s ${quote(body.data)} | base64 -d | ${[...parts, '--data-binary @-'].join(' \\\n  ')}`;
  return parts.join(' \\\n  ');
}

/** A call of `fetch`. @param url the address as code */
export function toFetch({ base, draft }: Shown, url = JSON.stringify(base + draft.url)): string {
  const headers = Object.fromEntries(headersOf(draft));
  const lines = [
    `  method: ${JSON.stringify(draft.method)},`,
    ...(Object.keys(headers).length > 0 ? [`  headers: ${indent(JSON.stringify(headers, null, 2))},`] : []),
    ...(draft.body ? [`  body: ${bodyCode(draft.body)},`] : []),
  ];
  return `const response = await fetch(${url}, {\n${lines.join('\n')}\n});`;
}

/** A vitest test that sends it to this server and expects the same status. */
export function toTest(shown: Shown): string {
  return `import { expect, test } from 'vitest';

${toTestBlock(shown, toFetch(shown))}`;
}

/** The same with a sandbox of its own, so that it passes without this server. */
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

function bodyCode({ encoding, data }: NonNullable<Draft['body']>): string {
  if (encoding === 'base64') return `Buffer.from(${JSON.stringify(data)}, 'base64')`;
  try {
    const text = JSON.stringify(JSON.parse(data), null, 2);
    // Only where nothing is lost: large numbers and doubled keys do not survive parsing.
    if (JSON.stringify(JSON.parse(text)) === data.trim()) return `JSON.stringify(${indent(text)})`;
  } catch {
    // Not JSON: the text as it is.
  }
  return JSON.stringify(data);
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ');
const indentAll = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;

import { cutText } from '../../emulator/contract/cut-text.ts';
import type { ClockView, RequestView } from '../../emulator/control/calls.ts';
import { bodyProblem } from './apply-fix.ts';
import { toCurl } from './copy-as.ts';
import { toTitle, didOf, toOutcome, type Words } from './explain.ts';
import { fenced } from './fenced.ts';

/** The part of an entry of an HTTP archive that a report needs. Its secrets are masked. */
export interface HarEntry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly headers: readonly HarPair[];
    readonly postData?: { readonly text: string; readonly comment?: string };
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly HarPair[];
    readonly content: { readonly text?: string; readonly encoding?: string };
  };
}

interface HarPair {
  readonly name: string;
  readonly value: string;
}

export interface Reported {
  readonly view: RequestView;
  readonly entry: HarEntry;
  readonly version: string;
  readonly clock: ClockView | null;
  readonly words: Words;
}

/** The longest body, in characters, that keeps the report readable. */
const longestBody = 4_000;

/** Returns a report in Markdown with everything needed to reproduce a problem. Its secrets are masked. */
export function toBugReport({ view, entry, version, clock, words }: Reported): string {
  const path = view.url.split('?')[0] ?? '';
  const { outcome, did } = toOutcome(view, words);
  const facts = [
    ...(view.refusal
      ? [
          `Rule: \`${view.refusal.rule}\`, ${view.refusal.provenance}, ${view.refusal.source}: “${view.refusal.says}”`,
          `Where: ${view.refusal.place.in} \`${view.refusal.place.at === '' ? '(all of it)' : view.refusal.place.at}\``,
          `Smallest fix: ${view.refusal.fix.say}`,
        ]
      : []),
    ...view.notes.map((note) => `Note: ${note}`),
    ...(view.fault ? [`A fault was set: ${view.fault.says}`] : []),
    ...view.changes.slice(0, 12).map((change) => `Changed: ${words(change.kind)} ${toTitle(change)} ${didOf(change)}`),
    `When: ${view.wallAt}${view.at.slice(0, 16) === view.wallAt.slice(0, 16) ? '' : `, on the virtual clock ${view.at}`}`,
    `Took: ${view.durationMs === null ? 'no answer' : `${Math.round(view.durationMs)} ms`}`,
    `Sandpiper ${version}${clock ? `, pace ${clock.pace}, clock ${clock.mode}` : ''}, request ${view.id}`,
  ];
  const { request, response } = entry;
  return `## ${view.method} ${path} answers ${view.status ?? 'nothing'}

${view.refusal ? `Refused: ${view.refusal.message}` : `${outcome}: ${did}`}

${facts.map((fact) => `- ${fact}`).join('\n')}

### Request

${fenced(message(`${request.method} ${pathOf(request.url)} ${request.httpVersion}`, request.headers, request.postData?.text), 'http')}

### Response

${fenced(message(`${request.httpVersion} ${response.status} ${response.statusText}`, response.headers, response.content.text), 'http')}

### Send it again

${bodyProblem(view) ?? leftOut(request) ?? fenced(curlOf(entry), 'sh')}
`;
}

function pathOf(url: string): string {
  const at = url.indexOf('/', url.indexOf('//') + 2);
  return at === -1 ? url : url.slice(at);
}

function message(first: string, headers: readonly HarPair[], body = ''): string {
  const lines = [first, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  return body === '' ? lines.join('\n') : [...lines, '', cut(body)].join('\n');
}

function curlOf({ request }: HarEntry): string {
  const ofConnection = /^(?:host|connection|content-length|transfer-encoding|x-sandbox-send)$/i;
  return toCurl({
    base: '',
    status: null,
    draft: {
      method: request.method,
      url: request.url,
      headers: request.headers
        .filter(({ name }) => !ofConnection.test(name))
        .map(({ name, value }) => [name, value] as const),
      body: request.postData?.text ? { encoding: 'utf8', data: request.postData.text } : null,
    },
  });
}

/** Returns why a command in this report would not send the request, as a sentence; null if it would. */
function leftOut({ postData }: HarEntry['request']): string | null {
  if (postData?.comment !== undefined) return postData.comment;
  return (postData?.text.length ?? 0) > longestBody
    ? 'The body is too long for this report, so there is no command here. “Copy as curl” of the request has all of it.'
    : null;
}

function cut(body: string): string {
  const kept = cutText(body, longestBody);
  return kept === body ? body : `${kept} (${body.length - kept.length + 1} characters more)`;
}

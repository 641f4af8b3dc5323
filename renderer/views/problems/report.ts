import type { OwnErrorView, RequestView } from '../../../emulator/control/calls.ts';
import { toDraft } from '../../http-text/apply-fix.ts';
import { toCurl } from '../../http-text/copy-as.ts';
import { fenced } from '../../http-text/fenced.ts';

/** The facts of a report besides the error itself. */
export interface Surroundings {
  readonly version: string;
  readonly clock: string;
  readonly pace: string;
  /** `on disk` or `in memory`. */
  readonly data: string;
  readonly browser: string;
  /** The server's root, such as `http://127.0.0.1:4747`. */
  readonly base: string;
}

/** The first line of an error, which names it. */
export function titleOf({ text }: Pick<OwnErrorView, 'text'>): string {
  return text.split('\n')[0]?.trim() || 'An error without a message';
}

/** A bug report as Markdown. Credentials in the request stay masked. */
export function toReport(
  error: OwnErrorView,
  request: RequestView | null,
  { version, clock, pace, data, browser, base }: Surroundings,
): string {
  const facts = [
    `Sandpiper ${version}, ${data}, clock ${clock}, pace ${pace}`,
    browser,
    `${error.wallAt} (clock: ${error.at})`,
    request ? `${request.method} ${request.url} was answered with ${request.status ?? 'nothing'}` : 'Outside a request',
  ];
  const sent = request
    ? `\n\nRequest, credentials masked:\n\n${fenced(toCurl({ base, draft: toDraft(request), status: null }))}`
    : '';
  return `# ${titleOf(error)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${fenced(error.text)}${sent}\n`;
}

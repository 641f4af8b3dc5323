import { get, type IncomingMessage } from 'node:http';
import { isUrl } from '../contract/url.ts';

/** Marks the request of a start that asks who has its port: no client sent it, so the API does not record it. */
const probeHeader = 'x-sandbox-probe';

const path = '/control/health';

/** Whether a request asks who has the port. */
export function isProbe({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers[probeHeader] !== undefined && url === path;
}

/** How long the program at a port may take to answer, in milliseconds. */
const patienceMs = 1_500;

/** Who has a port: a Sandpiper, with its inspector; a program that is none; or one that did not answer in time. */
export type Holder = { readonly inspector: string } | 'other' | 'silent';

/** Asks who answers at an address. Not by `fetch`: where a program closes each connection, Node 20 ends without an answer. */
export function findHolder(url: string): Promise<Holder> {
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve) => {
    const asked = get(url + path, { agent: false, headers: { [probeHeader]: 'inspector' }, signal }, (answer) => {
      answer.destroy();
      // The inspector refuses what has no token.
      const { 'x-sandbox-explain': link, 'x-sandbox-rule': rule } = answer.headers;
      const inspector = inspectorNamedIn(link) ?? (rule === undefined ? null : url);
      resolve(inspector === null ? 'other' : { inspector });
    });
    asked.on('error', () => resolve(signal.aborted ? 'silent' : 'other'));
  });
}

/** The inspector that the header `x-sandbox-explain` of an answer names; null if it is not one of the emulated API. */
export function inspectorNamedIn(link: string | readonly string[] | null | undefined): string | null {
  return typeof link === 'string' && isUrl(link) ? new URL(link).origin : null;
}

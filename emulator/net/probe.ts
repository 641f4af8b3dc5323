import { get, type IncomingMessage } from 'node:http';
import { isUrl } from '../contract/url.ts';

/** Marks the request with which a start asks who has its port. No client sent it, so the API does not record it. */
const probeHeader = 'x-sandbox-probe';

const path = '/control/health';

/** Whether a request asks who has the port. */
export function isProbe({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers[probeHeader] !== undefined && url === path;
}

/** How long the program at a port may take to answer, in milliseconds. */
const patienceMs = 1_500;

/**
 * The program that has a port: a Sandpiper, with its inspector; another program; or one that did not answer in time.
 */
export type Holder = { readonly inspector: string } | 'other' | 'silent';

/**
 * Asks who answers at an address. It does not use `fetch`: if a program closes each connection, Node 20 then ends
 * without an answer.
 */
export function findHolder(url: string): Promise<Holder> {
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve) => {
    const asked = get(url + path, { agent: false, headers: { [probeHeader]: 'inspector' }, signal }, (answer) => {
      answer.destroy();
      // An inspector refuses this request, which has no token, and names the rule.
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

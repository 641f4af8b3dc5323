import type { IncomingMessage } from 'node:http';
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

/** Asks who answers at an address. */
export async function findHolder(url: string): Promise<Holder> {
  try {
    const answer = await fetch(url + path, {
      headers: { [probeHeader]: 'inspector' },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    // The inspector refuses what has no token.
    const inspector = inspectorNamedIn(answer) ?? (answer.headers.has('x-sandbox-rule') ? url : null);
    return inspector === null ? 'other' : { inspector };
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'other';
  }
}

/** The inspector that an answer of the emulated API names; null for answers of other servers. */
export function inspectorNamedIn(answer: Pick<Response, 'headers'>): string | null {
  const link = answer.headers.get('x-sandbox-explain');
  return link !== null && isUrl(link) ? new URL(link).origin : null;
}

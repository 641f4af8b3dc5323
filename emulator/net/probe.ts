import type { IncomingMessage } from 'node:http';
import { isUrl } from '../contract/url.ts';

/** Marks the request of a start that asks who has its port: no client sent it, so the API does not record it. */
const probeHeader = 'x-sandbox-probe';

const path = '/control/health';

/** Whether a request asks who has the port. */
export function isProbe({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers[probeHeader] !== undefined && url === path;
}

/** How long the program at a port may take to answer, in milliseconds. Only one that does not speak HTTP takes all of it. */
const patienceMs = 5_000;

/**
 * Asks who answers at an address.
 * @returns the inspector of the Sandpiper that has it, the API and the inspector alike; null if it is another program
 */
export async function findInspector(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url + path, {
      headers: { [probeHeader]: 'inspector' },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    // The inspector refuses what has no token.
    return inspectorNamedIn(answer) ?? (answer.headers.has('x-sandbox-rule') ? url : null);
  } catch {
    return null;
  }
}

/** The inspector that an answer of the emulated API names; null for answers of other servers. */
export function inspectorNamedIn(answer: Pick<Response, 'headers'>): string | null {
  const link = answer.headers.get('x-sandbox-explain');
  return link !== null && isUrl(link) ? new URL(link).origin : null;
}

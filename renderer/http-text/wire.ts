import type { EventPreviewView } from '../../emulator/control/calls.ts';
import { toHost, toPath } from './short-url.ts';

export interface Wire {
  readonly start: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** The request as it goes over the wire to the first target; without any, as to an address that is not known yet. */
export function toWire({ body, headers, targets }: EventPreviewView): Wire {
  const url = targets[0]?.url ?? '';
  return {
    start: `POST ${url === '' ? '/' : toPath(url)} HTTP/1.1`,
    headers: { ...(url === '' ? {} : { host: toHost(url) }), ...headers, connection: 'keep-alive' },
    body,
  };
}

/** How many bytes a text has on the wire, in UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** All of it, as bytes. */
export function toWireBytes({ start, headers, body }: Wire): Uint8Array {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return new TextEncoder().encode(`${head}\r\n\r\n${body}`);
}

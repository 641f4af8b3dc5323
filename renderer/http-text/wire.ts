import type { EventPreviewView } from '../../emulator/control/calls.ts';
import { toHost, toPath } from './short-url.ts';

export interface Wire {
  readonly start: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** The request as it is sent to the first target. Without a target, it has no host yet and the path `/`. */
export function toWire({ body, headers, targets }: EventPreviewView): Wire {
  const url = targets[0]?.url ?? '';
  return {
    start: `POST ${url === '' ? '/' : toPath(url)} HTTP/1.1`,
    headers: { ...(url === '' ? {} : { host: toHost(url) }), ...headers, connection: 'keep-alive' },
    body,
  };
}

/** The size of a text in UTF-8, in bytes. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The whole request as bytes. */
export function toWireBytes({ start, headers, body }: Wire): Uint8Array {
  const head = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return new TextEncoder().encode(`${head}\r\n\r\n${body}`);
}

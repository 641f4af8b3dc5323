import type { Sandbox } from './sandbox.ts';

/** Posts a body without announcing its length, like clients that stream. */
export async function postChunked({ emulator }: Sandbox, path: string, key: string, body: string): Promise<Response> {
  return fetch(`${emulator.apiUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
}

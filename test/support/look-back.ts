import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';

/** A call at a moment of the virtual clock. */
export async function callAt(
  { inspectorUrl, token }: { readonly inspectorUrl: string; readonly token: string },
  path: string,
  at: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: object } = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(inspectorUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-sandbox-at': at,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

/** The URL of a receiver that answers 500 until the end of the test. */
export async function failingReceiver(): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(500).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/**
 * Calls whose answers differ only by the moment. Others also say what can be done by hand: at an earlier moment,
 * nothing.
 */
const paths = [
  `/control/people?companyId=${encodeURIComponent(demoCompany)}`,
  '/control/records/subscriptions?limit=1000',
  '/control/records/privacy-requests',
  '/control/records/webhooks',
  '/control/messages?limit=1000',
  '/control/deliveries?limit=1000',
];
export const readAll = (read: (path: string) => Promise<{ readonly body: unknown }>): Promise<readonly unknown[]> =>
  Promise.all(paths.map(async (path) => (await read(path)).body));

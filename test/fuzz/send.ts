import type { RefusalView, RequestView } from '../../emulator/control/calls.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { expectDescribed } from '../support/conformance.ts';
import type { Violation } from '../rules/violation.ts';

export type Request = Violation['request'];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request to the port that its path belongs to: with the key of the demo data, or with the token. Throws if it
 * is accepted though it is outside the document.
 */
export async function send(
  emulator: Emulator,
  { method, path, query, json, form, raw, headers, key = 'sandpiper-demo-key' }: Request,
): Promise<Answer> {
  const { apiUrl, authUrl, inspectorUrl, token } = emulator;
  const isControl = path.startsWith('/control/');
  const base = isControl ? inspectorUrl : /^\/(?:integrations|l)\//.test(path) ? authUrl : apiUrl;
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = raw?.toString() ?? (form ? new URLSearchParams(form).toString() : JSON.stringify(json));
  const body = method === 'GET' ? undefined : text;
  const request: RequestInit = {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${isControl ? token : key}`,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  };
  const sent = await fetch(base + path + search, { ...request, signal: AbortSignal.timeout(60_000) });
  const answer = toAnswer(sent, await sent.text());
  if (!isRefused(answer)) await expectDescribed(emulator, base + path + search, request);
  return answer;
}

function toAnswer({ status, headers }: Response, text: string): Answer {
  const isJson = text !== '' && /json/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/**
 * Everything that is stored except what runs by itself (deliveries and what they lead to) and the settings of `calm`, in the order
 * of the records. The order of their fields is not compared.
 */
export function recordsOf({ deps: { store } }: Emulator): string {
  const {
    deliveries: _deliveries,
    platformNotices: _notices,
    settings: _settings,
    ...rest
  } = store.toDocument().collections;
  return JSON.stringify(rest, (key, value: unknown) => {
    if (key === 'failingSince') return undefined;
    return isPlain(value) ? Object.fromEntries(Object.entries(value).toSorted()) : value;
  });
}

export const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By a redirect and by `errors` with status 200, too. */
export function isRefused({ status, headers }: Answer): boolean {
  return status >= 400 || headers.has('x-sandbox-rule');
}

/** Why a request was refused; null if that is not told. */
export async function refusalOf(emulator: Emulator, request: Request, answer: Answer): Promise<RefusalView | null> {
  if (request.path.startsWith('/control/'))
    return (answer.body as { readonly refusal?: RefusalView } | undefined)?.refusal ?? null;
  return (await recordedOf(emulator, answer.headers.get('x-sandbox-explain')?.split('/').at(-1))).refusal;
}

/** What was recorded of a request to the API: the last one, if none is named. */
export async function recordedOf(
  emulator: Emulator,
  id: string | undefined = emulator.recorder.all().at(-1)?.id,
): Promise<RequestView> {
  const recorded = await send(emulator, { method: 'GET', path: `/control/requests/${id}`, query: { reveal: 'true' } });
  return recorded.body as RequestView;
}

import { shallowRef } from 'vue';
import { splitName, toUndoRef, toUrlPath, type AnyRequest, type UndoRef } from '../../../emulator/control/call.ts';
import type {
  Arguments,
  CallName,
  ChangeName,
  ControlErrorView,
  Reply,
  StreamName,
} from '../../../emulator/control/calls.ts';
import { toMomentHeaders } from './moment.ts';
import { dropToken, token } from './session.ts';

/** An error answer of the control API. `message` is the server's sentence. */
export class ControlError extends Error {
  readonly status: number;
  /** The rule of the refusal; null for an internal error, or if something else answered. */
  readonly rule: string | null;
  /** The JSON pointer of the refused value in the body; null if the message is not about a single value. */
  readonly at: string | null;
  /** The recorded request that caused the refusal, with the rule that refused that request; null if there is none. */
  readonly request: RefusedRequest | null;
  /** The kind of thing, such as `company`, that an unknown id was meant to name; else null. */
  readonly missing: string | null;

  constructor(
    status: number,
    message: string,
    { rule = null, at = null, request = null, missing = null }: Partial<ErrorFacts> = {},
  ) {
    super(message);
    this.status = status;
    this.rule = rule;
    this.at = at;
    this.request = request;
    this.missing = missing;
  }
}

/** A call that may change something got no answer: it is unknown whether it was done. */
export class UnansweredError extends TypeError {}

/** Calls that only read, but describe in a body what to read. */
const readingPosts: ReadonlySet<string> = new Set([
  'POST /control/requests/har',
  'POST /control/signature/check',
  'POST /control/trigger/preview',
] satisfies Exclude<CallName, ChangeName>[]);

/** Calls whose answer may lack an undo, with nothing to undo: the end of an advance, a save, a look into a file. */
const withoutTrace: ReadonlySet<string> = new Set([
  'POST /control/clock',
  'POST /control/save',
  'POST /control/requests/{id}/editor',
] satisfies CallName[]);

/** Whether the last action here cannot be undone, like a sent message. An undo then reverts an older change. */
export const isLastFinal = shallowRef(false);

/** A request of the window to the emulated API that was not accepted. */
export interface RefusedRequest {
  readonly id: string;
  readonly rule: string | null;
}

type HeadersOf = { readonly [name: string]: string };
type ErrorFacts = Pick<ControlError, 'rule' | 'at' | 'request' | 'missing'>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Called with a reference to the change, if it can be undone. */
  readonly onUndo?: (undo: UndoRef) => void;
}

/**
 * Makes a call of the contract (emulator/control/calls.ts) on the page's own origin.
 * @throws ControlError with the server's sentence; if the server cannot be reached, a TypeError for calls that only
 *   read, and an UnansweredError for all others
 */
export type Call = <Name extends CallName>(
  name: Name,
  ...request: readonly [...request: Arguments<Name>, options?: CallOptions]
) => Promise<Reply<Name>>;

/** With the browser cache, a call would wait while another window makes the same one. */
const uncached = { cache: 'no-store' } satisfies RequestInit;

export const call = callWith({});

/** Returns a `call` that uses the same options for every call. */
export function callWith(options: CallOptions): Call {
  // Untyped: the types of all calls at once are too much for the compiler.
  const make = async (name: string, request: AnyRequest = {}, own: CallOptions = {}): Promise<unknown> => {
    const { signal, onUndo } = { ...options, ...own };
    const hasBody = request.body !== undefined;
    const { method } = splitName(name);
    const mayChange = method !== 'GET' && !readingPosts.has(name);
    const answer = await ask(toUrlPath(name, request), {
      method,
      headers: {
        ...toMomentHeaders(),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      throw mayChange && error instanceof TypeError ? new UnansweredError() : error;
    });
    if (!answer.ok) throw await toError(answer);
    const undo = toUndoRef(answer.headers);
    if (undo) onUndo?.(undo);
    // After an undo, the next undo reverts the change before it.
    if (undo || name === ('POST /control/undo' satisfies ChangeName)) isLastFinal.value = false;
    else if (mayChange && !withoutTrace.has(name)) isLastFinal.value = true;
    return answer.status === 204 ? null : answer.json();
  };
  return make as Call;
}

/** Opens the stream of events. @param lastEventId sends first the requests that ended after it; null sends none */
export async function openStream(lastEventId: number | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const answer = await ask(toUrlPath('GET /control/stream' satisfies StreamName), {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'last-event-id': String(lastEventId) }),
    },
    signal,
  });
  if (!answer.ok || !answer.body) throw await toError(answer);
  return answer.body;
}

/** Reads the answer at a path of the control port as a file. The browser keeps a large one on disk. */
export async function readFile(path: string): Promise<Blob> {
  const answer = await ask(path);
  if (!answer.ok) throw await toError(answer);
  return answer.blob();
}

/**
 * Whether the server accepts `candidate` as its control token.
 * @throws TypeError if the server cannot be reached
 */
export async function isAccepted(candidate: string): Promise<boolean> {
  // Other characters are not valid in a header, and no token has them.
  if (!/^[\x21-\x7e]+$/.test(candidate)) return false;
  const headers = { authorization: `Bearer ${candidate}` };
  const answer = await fetch(toUrlPath('GET /control/health' satisfies CallName), { ...uncached, headers });
  return answer.status !== 401;
}

/** Fetches with the token of this tab, and drops the token if it is refused. */
async function ask(path: string, init: RequestInit & { readonly headers?: HeadersOf } = {}): Promise<Response> {
  const used = token.value;
  const authorization: HeadersOf = used === null ? {} : { authorization: `Bearer ${used}` };
  const answer = await fetch(path, { ...uncached, ...init, headers: { ...authorization, ...init.headers } });
  if (answer.status === 401 && used !== null) dropToken(used);
  return answer;
}

async function toError(answer: Response): Promise<ControlError> {
  return toControlError(answer.status, await answer.text());
}

/** Parses an error answer of the control API. @param text its body, which is not shown if a proxy sent it */
export function toControlError(status: number, text: string): ControlError {
  const { message, refusal } = parsed(text);
  const { place, facts } = refusal ?? {};
  const { requestId, rule, what, listedBy } = facts ?? {};
  return new ControlError(status, typeof message === 'string' ? message : `The server answered ${status}.`, {
    rule: refusal?.rule ?? null,
    at: place?.in === 'body' && place.at !== '' ? place.at : null,
    request: typeof requestId === 'string' ? { id: requestId, rule: typeof rule === 'string' ? rule : null } : null,
    missing: typeof what === 'string' && listedBy !== undefined ? what : null,
  });
}

function parsed(text: string): Partial<ControlErrorView> {
  try {
    return (JSON.parse(text) as Partial<ControlErrorView> | null) ?? {};
  } catch {
    // A proxy may have answered, for instance.
    return {};
  }
}

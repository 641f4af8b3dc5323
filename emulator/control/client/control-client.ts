import { text as readText } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import { isJsonObject } from '../../contract/json-object.ts';
import { jsonOf } from '../../contract/json-of.ts';
import { UserError } from '../../errors.ts';
import { closedCodes } from '../../net/closed-codes.ts';
import { inspectorNamedIn } from '../../net/probe.ts';
import { ask, defaultPatience, whileAnswering, type Patience, type Received } from './ask.ts';
import { splitName, toUndoRef, toUrlPath, versionHeader, type AnyRequest } from '../call.ts';
import type { Answer, Arguments, CallName, ChangeName, Reply, StreamName } from '../calls.ts';
import { ownListing, toReach, type Caller } from './caller-words.ts';
import type { ControlErrorView } from '../contract/refusals.ts';
import type { StreamMessage } from '../contract/stream.ts';
import { ControlRefusal } from './control-refusal.ts';

/** Calls the control API of a running emulator; used by the command line and the test library. */
export interface ControlClient {
  readonly url: string;
  /** The inspector's address in links for people. */
  readonly page: string;
  readonly token: string;
  /** Makes a call of the contract (calls.ts). Throws UserError with the API's own message. */
  call<Name extends CallName>(name: Name, ...request: Arguments<Name>): Promise<Reply<Name>>;
  /**
   * Like `call`, for a call that changes something. Also returns the edit to undo: its code, and its id for
   * `POST /control/undo`.
   */
  answer<Name extends ChangeName>(name: Name, ...request: Arguments<Name>): Promise<Answer<Name>>;
  /** Like `call`, by method and path and without types. Resolves with undefined if the reply has no body. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Yields the messages of the event stream, from now on or after an event id, until the signal aborts or the server
   * ends.
   */
  stream(signal: AbortSignal, lastEventId?: string): AsyncGenerator<StreamMessage>;
}

/**
 * Creates a client.
 * @param target `url` is the inspector's address; `page` is its public address, if that differs. Refusals name listing
 * commands in the way of `caller`. `because` says why this server was asked, if no one named it. `signal` ends calls
 * that still wait, with an `AbortError`. `patience` says when to give up on a silent server.
 */
export function createControlClient({
  url,
  page = url,
  token,
  caller,
  because,
  signal: callSignal,
  patience = defaultPatience,
}: {
  readonly url: string;
  readonly page?: string;
  readonly token: string;
  readonly caller?: Caller | undefined;
  readonly because?: string;
  readonly signal?: AbortSignal | undefined;
  readonly patience?: Patience;
}): ControlClient {
  const authorization = `Bearer ${token}`;
  const asked = { url, because: because === undefined ? '' : ` ${because}`, patience, caller };

  const exchange = async (method: string, path: string, body: unknown) => {
    const sent =
      body === undefined
        ? { headers: { authorization } }
        : { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const { answer, text } = await reach(asked, callSignal, async (signal) => {
      const reply = await ask(url + path, { method, ...sent, signal });
      return { answer: reply, text: await readText(reply.body) };
    });
    expectInspector(asked, answer);
    if (!isDone(answer)) throw toRefusal(asked, answer, text);
    try {
      return { reply: text === '' ? undefined : (JSON.parse(text) as unknown), undo: toUndoRef(answer.headers) };
    } catch {
      throw notTheInspector(asked, answer);
    }
  };
  // Untyped: the types of all calls at once are too much for the compiler.
  const answer = async (name: string, request: AnyRequest = {}) => {
    const { reply = null, undo } = await exchange(splitName(name).method, toUrlPath(name, request), request.body);
    return { reply, undo };
  };

  return {
    url,
    page,
    token,
    call: (async (name: string, request?: AnyRequest) => (await answer(name, request)).reply) as ControlClient['call'],
    answer: answer as ControlClient['answer'],
    send: async (method, path, body) => (await exchange(method, path, body)).reply,
    async *stream(signal, lastEventId) {
      const headers = { authorization, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
      const events: string[] = [];
      const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
      const decoder = new TextDecoder();
      try {
        const answer = await reach(asked, signal, (either) =>
          ask(url + toUrlPath('GET /control/stream' satisfies StreamName), { headers, signal: either }),
        );
        expectInspector(asked, answer);
        if (!isDone(answer)) throw toRefusal(asked, answer, await readText(answer.body));
        if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) throw notTheInspector(asked, answer);
        for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
          parser.feed(decoder.decode(chunk, { stream: true }));
          for (const data of events.splice(0)) yield JSON.parse(data) as StreamMessage;
        }
      } catch (error) {
        if (!signal.aborted && !isCut(error)) throw error;
      }
    },
  };
}

/** The server that was asked, by whom, and the reason why, as a sentence after a space. */
interface Asked {
  readonly url: string;
  readonly because: string;
  readonly patience: Patience;
  readonly caller: Caller | undefined;
}

/**
 * Runs the work of a call for as long as its server answers.
 * @param callSignal ends the call with the signal's reason
 */
async function reach<R>(
  { url, because, patience, caller }: Asked,
  callSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const knock = async (signal: AbortSignal): Promise<void> => {
    const answer = await ask(url + toUrlPath('GET /control/health' satisfies CallName), { signal });
    answer.body.resume();
  };
  try {
    return await whileAnswering(patience, knock, (silence) =>
      work(callSignal === undefined ? silence : AbortSignal.any([silence, callSignal])),
    );
  } catch (error) {
    const reason: unknown = callSignal?.aborted ? callSignal.reason : error;
    const { name } = reason as Error;
    if (name === 'TimeoutError')
      throw new UserError(
        `${url} takes too long to answer: the Sandpiper there is stopped or too busy, or it is another server. Let it go on, or name another with --url and --token.${because}`,
        'silent',
      );
    if (name === 'AbortError') throw reason;
    if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_CHAR')
      throw new UserError(
        'The token has a character that no token has. Copy it whole, as "sandpiper serve" prints it.',
      );
    if (isCut(error)) throw new UserError(`The Sandpiper at ${url} ended before it had answered.`);
    throw new UserError(`No Sandpiper answers at ${url}${sayWhy(error)}. ${toReach(caller)}${because}`);
  }
}

/** Whether the other side ended a connection that was open. */
function isCut(error: unknown): boolean {
  return closedCodes.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Returns the cause of a connection error, in parentheses. A refused connection needs none, and OpenSSL's text names
 * lines of its own source.
 */
function sayWhy(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return '';
  return code === 'EPROTO' ? ' (what is there does not speak TLS as it should: try http://)' : ` (${message})`;
}

const isDone = ({ status }: Received): boolean => status >= 200 && status < 300;

/** @throws UserError if another server answered: any JSON would otherwise be read as a reply of the control API */
function expectInspector(asked: Asked, answer: Received): void {
  if (!answer.headers.has(versionHeader)) throw notTheInspector(asked, answer);
}

/**
 * Turns an unsuccessful reply into an error: a refusal of the control API, or of something between it and this client.
 */
function toRefusal(asked: Asked, answer: Received, text: string): UserError {
  const error = toError(text);
  if (error === null) return notTheInspector(asked, answer);
  if (answer.status === 401 && asked.because !== '')
    return new UserError(`The Sandpiper at ${asked.url} has another token.${asked.because}`);
  const own = asked.caller === undefined ? '' : ownListing(asked.caller, error.refusal?.facts ?? {});
  const rule = answer.headers.get('x-sandbox-rule');
  return new ControlRefusal(answer.status, error.message + own, rule, error.refusal?.place ?? null);
}

/**
 * The error for a server that is not the inspector. The emulated API names its inspector; any other server is not
 * Sandpiper.
 */
function notTheInspector({ url, because }: Asked, answer: Received): UserError {
  const inspector = inspectorNamedIn(answer.headers.get('x-sandbox-explain'));
  return new UserError(
    inspector === null
      ? `What answers at ${url} is not the inspector of a Sandpiper, or of an older one (status ${answer.status}). "sandpiper serve" prints its address.${because}`
      : `${url} is the emulated API. Its inspector is at ${inspector}.${because}`,
  );
}

function toError(text: string): Pick<ControlErrorView, 'message' | 'refusal'> | null {
  const error = jsonOf(text);
  return isJsonObject(error) && typeof error['message'] === 'string' ? (error as unknown as ControlErrorView) : null;
}

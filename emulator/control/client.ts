import { createParser } from 'eventsource-parser';
import { UserError } from '../errors.ts';
import { fetch } from '../globals.ts';
import { inspectorNamedIn } from '../net/probe.ts';
import { splitName, toUndoRef, toUrlPath, versionHeader, type AnyRequest } from './call.ts';
import type { Answer, Arguments, CallName, ChangeName, Reply, StreamName } from './calls.ts';
import { ownListing, type Caller } from './caller-words.ts';
import type { ControlErrorView } from './contract/refusals.ts';
import type { StreamMessage } from './contract/stream.ts';
import { ControlRefusal } from './control-refusal.ts';

/** Calls the control API of a running emulator; used by the command line and the test library. */
export interface ControlClient {
  readonly url: string;
  /** The inspector's address in links for people. */
  readonly page: string;
  readonly token: string;
  /** Makes a call of the contract (calls.ts). Throws UserError with the API's own message. */
  call<Name extends CallName>(name: Name, ...request: Arguments<Name>): Promise<Reply<Name>>;
  /** The same for a call that changes something, with what to undo: the id for `POST /control/undo`, and what it was. */
  answer<Name extends ChangeName>(name: Name, ...request: Arguments<Name>): Promise<Answer<Name>>;
  /** The same as `call` by method and path, without types. The body of the reply is undefined if it has none. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The messages of the event stream, from now on or from an event id on, until the signal aborts or the server ends. */
  stream(signal: AbortSignal, lastEventId?: string): AsyncGenerator<StreamMessage>;
}

/**
 * Creates a client.
 * @param target `url` is the inspector's address; `page` its public one, if that differs; `caller` is told how it
 *   lists what there is; `because` says why this one was asked, where no one named it; `signal` ends calls that still wait for their answer, with an `AbortError`
 */
export function createControlClient({
  url,
  page = url,
  token,
  caller,
  because,
  signal: callSignal,
}: {
  readonly url: string;
  readonly page?: string;
  readonly token: string;
  readonly caller?: Caller | undefined;
  readonly because?: string;
  readonly signal?: AbortSignal | undefined;
}): ControlClient {
  const authorization = `Bearer ${token}`;
  const asked = { url, because: because === undefined ? '' : ` ${because}` };

  const exchange = async (method: string, path: string, body: unknown) => {
    const sent =
      body === undefined
        ? { headers: { authorization } }
        : { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const { answer, text } = await reach(asked, async () => {
      const reply = await fetch(url + path, { method, ...sent, signal: callSignal ?? null });
      return { answer: reply, text: await reply.text() };
    });
    expectInspector(asked, answer);
    if (!answer.ok) throw toRefusal(asked, answer, text, caller);
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
        const answer = await reach(asked, () =>
          fetch(url + toUrlPath('GET /control/stream' satisfies StreamName), { headers, signal }),
        );
        expectInspector(asked, answer);
        if (!answer.ok) throw toRefusal(asked, answer, await answer.text());
        if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
          throw notTheInspector(asked, answer);
        for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
          parser.feed(decoder.decode(chunk, { stream: true }));
          for (const data of events.splice(0)) yield JSON.parse(data) as StreamMessage;
        }
      } catch (error) {
        if (!signal.aborted && !isCut(error)) throw error;
      }
    },
  };
}

/** Which server was asked, and why, as a sentence after a space. */
interface Asked {
  readonly url: string;
  readonly because: string;
}

async function reach<R>({ url, because }: Asked, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    if (isCut(error)) throw new UserError(`The Sandpiper at ${url} ended before it had answered.`);
    throw new UserError(
      `No Sandpiper answers at ${url}. Start one with "sandpiper serve", or name another with --url and --token.${because}`,
    );
  }
}

/** Whether a connection that was open was ended by the other side. */
function isCut(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET';
}

/** @throws UserError if another server answered: the JSON of any would else be read as that of the control API */
function expectInspector(asked: Asked, answer: Response): void {
  if (!answer.headers.has(versionHeader)) throw notTheInspector(asked, answer);
}

/** What an answer without success is: a refusal of the control API, or of something between it and us. */
function toRefusal(asked: Asked, answer: Response, text: string, caller?: Caller): UserError {
  const error = toError(text);
  if (error === null) return notTheInspector(asked, answer);
  if (answer.status === 401 && asked.because !== '')
    return new UserError(`The Sandpiper at ${asked.url} has another token.${asked.because}`);
  const own = caller === undefined ? '' : ownListing(caller, error.refusal?.facts ?? {});
  const rule = answer.headers.get('x-sandbox-rule');
  return new ControlRefusal(answer.status, error.message + own, rule, error.refusal?.place ?? null);
}

/** The error for a server that is not the inspector: the emulated API names the inspector, others are not Sandpiper. */
function notTheInspector({ url, because }: Asked, answer: Response): UserError {
  const inspector = inspectorNamedIn(answer);
  return new UserError(
    inspector === null
      ? `What answers at ${url} is not the inspector of a Sandpiper, or of an older one (status ${answer.status}). "sandpiper serve" prints its address.${because}`
      : `${url} is the emulated API. Its inspector is at ${inspector}.${because}`,
  );
}

function toError(text: string): Pick<ControlErrorView, 'message' | 'refusal'> | null {
  try {
    const error = JSON.parse(text) as ControlErrorView;
    const { message } = error;
    return typeof message === 'string' ? error : null;
  } catch {
    return null;
  }
}

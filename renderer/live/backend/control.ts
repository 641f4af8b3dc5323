import { dropToken, token } from './session.ts';

/** An error answer of the control API. `message` is the server's sentence. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ControlOptions {
  readonly json?: unknown;
  readonly signal?: AbortSignal;
  /** Told the id of what the call did, where that can be undone. */
  readonly onUndo?: (id: string) => void;
}

/**
 * One call of the control API, on the page's own origin.
 * @throws ControlError with the server's sentence; TypeError where the server cannot be reached
 */
export async function control<Body>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { json, signal, onUndo }: ControlOptions = {},
): Promise<Body> {
  const answer = await fetch(`/control/${path}`, {
    method,
    headers: { ...authorization(), ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok) throw await toError(answer);
  const undo = answer.headers.get('x-sandbox-undo');
  if (undo !== null) onUndo?.(undo);
  return (answer.status === 204 ? undefined : await answer.json()) as Body;
}

/** The stream of events, from the one after `lastEventId` on. */
export async function openStream(lastEventId: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch('/control/stream', {
    headers: { ...authorization(), accept: 'text/event-stream', 'last-event-id': String(lastEventId) },
    signal,
    cache: 'no-store',
  });
  if (!answer.ok || !answer.body) throw await toError(answer);
  return answer.body;
}

function authorization(): { readonly [name: string]: string } {
  return token.value === null ? {} : { authorization: `Bearer ${token.value}` };
}

async function toError(answer: Response): Promise<ControlError> {
  if (answer.status === 401) dropToken();
  const text = await answer.text();
  return new ControlError(answer.status, messageOf(text) ?? `The server answered ${answer.status}.`);
}

function messageOf(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}

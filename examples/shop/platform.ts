import { setTimeout as sleep } from 'node:timers/promises';

/** A refusal of the platform. */
export class PlatformError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How often a request is sent again that came too soon, and the longest wait that is taken, in seconds. */
const mostAttempts = 5;
const longestWait = 60;

/**
 * Calls the platform. A 429 says that nothing was done yet, so the request is sent again after as many seconds as its
 * Retry-After asks for.
 * @returns the answer's body; undefined if it has none
 * @throws PlatformError for any other refusal, and for the last 429
 */
export async function call<T>(
  baseUrl: string,
  {
    token,
    method,
    path,
    json,
    form,
  }: {
    readonly token?: string;
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly json?: unknown;
    readonly form?: { readonly [name: string]: string };
  },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const text = await answer.text();
    if (answer.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    if (answer.status !== 429 || attempt === mostAttempts || !(seconds <= longestWait))
      throw new PlatformError(
        answer.status,
        `${method} ${path} was answered with ${answer.status}: ${toMessage(text)}`,
      );
    await sleep(seconds * 1_000);
  }
}

function toMessage(text: string): string {
  try {
    const { message, error_description: description } = JSON.parse(text) as {
      message?: string;
      error_description?: string;
    };
    return message ?? description ?? text;
  } catch {
    return text;
  }
}

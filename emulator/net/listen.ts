import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UserError, mustCompile } from '../errors.ts';
import { isLoopbackAddress, toHostParts } from './addresses.ts';
import { bind } from './bind.ts';

/** A server that accepts connections. `port` is the real one, even if 0 was requested. */
export interface Listening {
  readonly port: number;
  /** Stops accepting connections, gives requests that have no answer yet a moment to get it, then closes the rest. */
  close(): Promise<void>;
}

/** The clock's timer: calls back after `ms` real milliseconds. Returns the function that cancels it. */
export type AfterWall = (ms: number, fire: () => void) => () => void;

/** How long, in ms, a request may still take when the server stops. */
const graceMs = 1_000;

/** The requests being handled, including those whose client has disconnected. */
export interface RunningWork {
  /**
   * Waits for the requests, at most `graceMs`: a request may itself wait for something that a later step of the stop
   * ends.
   */
  ended(afterWall: AfterWall): Promise<void>;
}

/** @param listener its promise settles when the work of the request has ended */
export function watchRunning(
  listener: (...input: Parameters<RequestListener>) => Promise<void>,
): RunningWork & { readonly listener: RequestListener } {
  const running = new Set<Promise<void>>();
  return {
    listener(request, response) {
      const work = listener(request, response).finally(() => running.delete(work));
      running.add(work);
    },
    ended: (afterWall) => within(graceMs, afterWall, Promise.allSettled(running)),
  };
}

/**
 * Makes a server listen.
 * @param options `flag` is the option that sets the port, for the message about a busy port; without `keepsAlive` the
 *   process may end while the server listens, but not while it answers a request; without `afterWall`, `close` does not
 *   wait for running requests
 */
export async function listen(
  server: Server,
  {
    host,
    port,
    flag,
    keepsAlive = true,
    afterWall,
  }: {
    readonly host: string;
    readonly port: number;
    readonly flag: string;
    readonly keepsAlive?: boolean;
    readonly afterWall?: AfterWall;
  },
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  if (!keepsAlive) keepAliveOnlyForRequests(server);
  // A client must not reuse a connection that is just being closed. On a busy machine Node's default of five seconds is
  // too short for that.
  server.keepAliveTimeout = 75_000;
  const bound = await bind(server, host, port, flag);
  const opened = bound.twin ? [server, bound.twin] : [server];
  if (!keepsAlive) for (const one of opened) one.unref();
  return {
    port: bound.port,
    async close() {
      const closed = Promise.all(opened.map((one) => new Promise<void>((resolve) => one.close(() => resolve()))));
      server.closeIdleConnections();
      // A response that has begun may never end: an open stream (the inspector's events) would keep the process
      // running.
      const waiting = [...sockets].flatMap(unanswered);
      if (waiting.length > 0 && afterWall) await within(graceMs, afterWall, Promise.all(waiting.map(ended)));
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}

function keepAliveOnlyForRequests(server: Server): void {
  server.on('connection', (socket: Socket) => socket.unref());
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    socket.ref();
    response.once('close', () => socket.unref());
  });
}

/**
 * The response of a connection, if it has not begun. Read from Node's own field: to track each response makes an answer
 * a tenth slower.
 */
function unanswered(socket: Socket): readonly ServerResponse[] {
  // oxlint-disable-next-line no-underscore-dangle -- Node's name for it
  const { _httpMessage: response } = socket as { readonly _httpMessage?: ServerResponse | null };
  return response && !response.headersSent ? [response] : [];
}

/** Resolves when the response was sent, or its connection is closed. */
function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

/** Waits for work, at most this long. */
async function within(ms: number, afterWall: AfterWall, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const passed = new Promise<void>((resolve) => {
    cancel = afterWall(ms, resolve);
  });
  await Promise.race([work, passed]);
  cancel();
}

/**
 * Refuses runtimes other than Node, because their HTTP servers lack features that are needed here. Also refuses a Node
 * that may not compile the checks that are generated from the schemas.
 * @throws UserError that says what to do
 */
export function checkRuntime({ bun, deno }: { readonly [name: string]: string | undefined }): void {
  const name = bun === undefined ? 'Deno' : 'Bun';
  const version = bun ?? deno;
  if (version !== undefined)
    throw new UserError(
      `Sandpiper runs in Node, not in ${name} ${version}. Start it with Node; tests that ${name} runs get a sandbox from "npx sandpiper exec -- ${name.toLowerCase()} test".`,
    );
  mustCompile();
}

/**
 * Refuses a token that protects nothing: an empty one, as `--token "$UNSET"` gives.
 * @throws UserError that says what to do
 */
export function checkToken(token: string | null): void {
  if (token === null || /^[\x21-\x7e]+$/.test(token)) return;
  throw new UserError(
    token.trim() === ''
      ? 'The token of --token (or SANDPIPER_TOKEN) is empty. Give one that is hard to guess, or leave it out to have one generated.'
      : 'The token of --token (or SANDPIPER_TOKEN) has a character that a header cannot carry. Use ASCII letters, digits and signs, without spaces.',
  );
}

/** Refuses an entry that no Host header can name: it would allow nothing. @throws UserError */
export function checkAllowedHosts(names: readonly string[]): void {
  const wrong = names.find((name) => toHostParts(name) === null);
  if (wrong !== undefined)
    throw new UserError(
      `--allow-host takes the name of a host, with or without a port, such as shop.test:8080, not ${JSON.stringify(wrong)}. Leave out http:// and the path.`,
    );
}

/** Refuses the same port for both servers: the system would say that another program has it. @throws UserError */
export function checkPorts(port: number, inspectorPort: number): void {
  if (port === 0 || port !== inspectorPort) return;
  throw new UserError(
    `--port and --inspector-port are both ${port}, but each needs a port of its own. Choose another one for one of them (0 takes any free one).`,
  );
}

/** Refuses to listen beyond this machine without a token that the user chose (docs/security.md, Listening). */
export function checkHost(host: string, token: string | null): void {
  if (isLoopbackAddress(host) || token !== null) return;
  throw new UserError(
    `--host ${host} opens Sandpiper to other machines, so it needs a token of your own: add --token TOKEN (or SANDPIPER_TOKEN).`,
  );
}

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Bytes of a refused body that are still read, so that a client that reads the reply late gets it. */
export const discardedBytes = 64 * 1024 * 1024;
/** How long the rest of a refused body may pause. */
export const discardIdleMs = 5000;

const goOn = Symbol('says 100 Continue');

type Waiting = IncomingMessage & { [goOn]?: () => void };

/**
 * Passes on a request with `Expect: 100-continue` (curl, .NET) before its body is sent, so that a refusal before that
 * costs nothing: who reads the body lets it continue. Call it with the listener of the server's requests.
 */
export function holdContinue(server: Server, callback: RequestListener): void {
  server.on('checkContinue', (req: Waiting, res: ServerResponse) => {
    req[goOn] = () => res.writeContinue();
    callback(req, res);
  });
}

/** Sends 100 Continue to a client that waits for it. */
export function letContinue(req: Waiting): void {
  req[goOn]?.();
  delete req[goOn];
}

/**
 * Reads and discards what a refused client still sends: closing at once would reset the connection, and many clients
 * would report the reset instead of the reply. Up to a limit; then the connection is closed. Call it just before
 * writing the reply. A client that still waits for 100 Continue sends nothing: Node closes its connection.
 */
export function discardRest(req: Waiting, res: ServerResponse): void {
  if (req.complete || req.destroyed || req[goOn] !== undefined) return;
  let left = discardedBytes;
  req.setTimeout(discardIdleMs);
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    if (res.writableFinished) {
      req.destroy();
      return;
    }
    req.pause();
    res.once('finish', () => req.destroy());
  });
  req.resume();
}

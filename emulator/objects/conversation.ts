import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { objectPrefix } from './presign.ts';

/** How much of a refused body is still read, so that a client that looks at the answer late gets to see it. */
const discardedBytes = 64 * 1024 * 1024;
const discardIdleMs = 5000;

const goOn = Symbol('says 100 Continue');

type Waiting = IncomingMessage & { [goOn]?: () => void };

/**
 * Prepares the server of the emulated API for uploads; call it with the same callback that `createServer` got. A PUT
 * with `Expect: 100-continue` (curl -T) reaches the object router before its body is sent, so that a refusal costs
 * nothing; elsewhere the client is told to go on at once. The limit on the time of a whole request is lifted, as 2 GB
 * may take long: limits on silence (`idleMs`) and on headers stay.
 */
export function prepareForUploads(server: Server, callback: RequestListener): void {
  server.requestTimeout = 0;
  server.on('checkContinue', (req: Waiting, res: ServerResponse) => {
    if (req.url?.startsWith(objectPrefix) !== true) {
      res.writeContinue();
      callback(req, res);
      return;
    }
    req[goOn] = () => res.writeContinue();
    callback(req, res);
  });
}

/** Tells a client that waits for permission to send its body. */
export function letContinue(req: Waiting): void {
  req[goOn]?.();
  delete req[goOn];
}

/**
 * Takes what a refused client still sends and throws it away: closing at once would reset the connection, and many
 * clients then report the reset instead of the answer. A bounded amount; after it the connection is cut. Call it when
 * the answer is about to be written. A client that still waits to be told to go on sends nothing: Node closes on it.
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

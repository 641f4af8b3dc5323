import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';

/** Bytes that may wait for the disk, which limits the memory of an upload. Waiting chunks are written together. */
const waitingBytes = 256 * 1024;

export interface Reception {
  readonly req: IncomingMessage;
  /** The file to write; it is created or emptied. */
  readonly path: string;
  /** The largest size; reading stops after it. */
  readonly maxBytes: number;
  /** Called with every chunk of the file, to compute its digests. */
  onBytes(chunk: Buffer): void;
  /** Called with every chunk as it arrives: the recorder keeps the first ones. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined;
  /** Called synchronously when a half-closed client stops before the end: the last chance to reply. */
  onCutShort(bytes: number): void;
}

export type Received =
  | { readonly outcome: 'whole'; readonly bytes: number }
  | { readonly outcome: 'too-large'; readonly bytes: number }
  | { readonly outcome: 'cut-short'; readonly bytes: number }
  | { readonly outcome: 'unwritable'; readonly bytes: number; readonly error: NodeJS.ErrnoException };

/**
 * Writes the body of a request to a file with limited memory. Never rejects; resolves once the file is closed, so that
 * it may be moved or removed. `pipeline` would destroy the request when the file fails or grows too large, and with it
 * the connection on which the client waits for the reason.
 */
export function receive({ req, path, maxBytes, onBytes, onChunk, onCutShort }: Reception): Promise<Received> {
  return new Promise((resolve) => {
    const file = createWriteStream(path, { mode: 0o600, highWaterMark: waitingBytes });
    let bytes = 0;
    let received: Received | null = null;

    const settle = (result: Received): void => {
      if (received !== null) return;
      received = result;
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      req.socket.off('end', onHalfClose);
      if (result.outcome === 'whole') file.end();
      else file.destroy();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      onChunk?.(chunk);
      if (bytes > maxBytes) {
        req.pause();
        settle({ outcome: 'too-large', bytes });
        return;
      }
      onBytes(chunk);
      if (!file.write(chunk)) req.pause();
    };
    const onEnd = (): void => settle({ outcome: 'whole', bytes });
    const onClose = (): void => settle({ outcome: 'cut-short', bytes });
    const onHalfClose = (): void => {
      if (req.complete) return;
      settle({ outcome: 'cut-short', bytes });
      onCutShort(bytes);
    };

    file.on('drain', () => {
      if (received === null) req.resume();
    });
    file.on('error', (error) => {
      req.pause();
      settle({ outcome: 'unwritable', bytes, error });
      // Writing the last bytes may fail after the request has ended.
      if (received?.outcome === 'whole') received = { outcome: 'unwritable', bytes, error };
    });
    file.on('close', () => {
      if (received !== null) resolve(received);
    });
    // A reset connection also emits 'error', before 'close'. It needs no listener: Node throws nothing without one.
    req.on('data', onData).on('end', onEnd).on('close', onClose);
    // Node answers a half-closed connection with a bare 400 of its own in its 'end' listener; ours has to come first.
    req.socket.prependListener('end', onHalfClose);
  });
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { renameAtOnce, syncFileAtOnce } from '../../../system.ts';

const BUFFER_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** The path at which a file is written until it is complete. */
export function partPath(path: string): string {
  return `${path}.part`;
}

export interface FileWriter {
  /** Adds `line` and a newline. */
  line(line: Uint8Array): void;
  /** Adds bytes as they are. */
  bytes(bytes: Uint8Array): void;
  /** Flushes the complete file to disk and gives it its final name. */
  finish(): void;
  /** Closes and discards the file; does nothing after `finish`. */
  abandon(): void;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Writes lines through a buffer of 1 MB to `path.part`, which `finish` renames. Synchronous: for worker threads. */
export function openFileWriter(path: string): FileWriter {
  const file = openSync(partPath(path), 'w', 0o600);
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;
  let isOpen = true;

  function flush(): void {
    if (used > 0) writeAll(file, buffer.subarray(0, used));
    used = 0;
  }

  /** Adds bytes to the buffer, with room for a newline. */
  function add(bytes: Uint8Array): void {
    if (used + bytes.length + 1 > BUFFER_BYTES) flush();
    if (bytes.length + 1 > BUFFER_BYTES) {
      writeAll(file, bytes);
    } else {
      buffer.set(bytes, used);
      used += bytes.length;
    }
  }

  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }

  return {
    line(line) {
      add(line);
      buffer[used++] = NEWLINE;
    },
    bytes: add,
    finish() {
      flush();
      syncFileAtOnce(file);
      close();
      renameAtOnce(partPath(path), path);
    },
    abandon: close,
  };
}

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

const BUFFER_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Where a file is written until it is complete. */
export function partPath(path: string): string {
  return `${path}.part`;
}

export interface FileWriter {
  /** Bytes written so far: the offset of the next line. */
  readonly bytes: number;
  /** Adds `line` and a newline. */
  line(line: Uint8Array): void;
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
  let bytes = 0;
  let isOpen = true;

  function flush(): void {
    if (used > 0) writeAll(file, buffer.subarray(0, used));
    used = 0;
  }

  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }

  return {
    get bytes() {
      return bytes;
    },
    line(line) {
      bytes += line.length + 1;
      if (used + line.length + 1 > BUFFER_BYTES) flush();
      if (line.length + 1 > BUFFER_BYTES) {
        writeAll(file, line);
      } else {
        buffer.set(line, used);
        used += line.length;
      }
      buffer[used++] = NEWLINE;
    },
    finish() {
      flush();
      fsyncSync(file);
      close();
      renameSync(partPath(path), path);
    },
    abandon: close,
  };
}

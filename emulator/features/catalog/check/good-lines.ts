import { closeSync, linkSync, openSync, readSync, rmSync } from 'node:fs';
import { openFileWriter, partPath, type FileWriter } from './file-writer.ts';

/** The file of the lines without an issue. */
export interface GoodLines {
  /** Adds a line, which begins at `offset` in the checked file. */
  add(line: Buffer, offset: number): void;
  /** @param bytes the size of the checked file */
  finish(bytes: number): void;
  /** Finishes with an empty file. */
  finishEmpty(): void;
  abandon(): void;
}

const newline = Buffer.from('\n');
const COPY_BYTES = 1024 * 1024;

/**
 * Writes the good lines of the file at `from`. Nothing is written as long as every line from the beginning is good and
 * ends with a newline. A file in which all lines are good gets a second name (a hard link), because neither ever
 * changes.
 */
export function openGoodLines(from: string, to: string): GoodLines {
  /**
   * The offset at which the next line has to begin. All lines before it are good, and each but the last certainly ends
   * with a newline alone. They are copied when a line comes that begins elsewhere.
   */
  let prefix = 0;
  let writer: FileWriter | null = null;

  function write(): FileWriter {
    if (writer !== null) return writer;
    writer = openFileWriter(to);
    const file = openSync(from, 'r');
    try {
      const chunk = Buffer.allocUnsafe(COPY_BYTES);
      const end = prefix - 1;
      for (let at = 0; at < end;) {
        const read = readSync(file, chunk, 0, Math.min(COPY_BYTES, end - at), at);
        if (read === 0) throw new Error(`${from} became shorter while it was read. Do not change it during the check.`);
        writer.bytes(chunk.subarray(0, read));
        at += read;
      }
      if (prefix > 0) writer.bytes(newline);
    } finally {
      closeSync(file);
    }
    return writer;
  }

  return {
    add(line, offset) {
      if (writer === null && offset === prefix) prefix += line.length + 1;
      else write().line(line);
    },
    finish(bytes) {
      if (writer === null && prefix === bytes && link(from, to)) return;
      write().finish();
    },
    finishEmpty() {
      prefix = 0;
      writer?.abandon();
      openFileWriter(to).finish();
    },
    abandon: () => writer?.abandon(),
  };
}

/** Makes a hard link; false if the disk has none. */
function link(from: string, to: string): boolean {
  try {
    rmSync(partPath(to), { force: true });
    rmSync(to, { force: true });
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

import { closeSync, linkSync, openSync, readSync, rmSync } from 'node:fs';
import { openFileWriter, partPath, type FileWriter } from './file-writer.ts';

/** The file of the lines without an issue. */
export interface GoodLines {
  /** Adds a line, which begins at `offset` in the checked file. */
  add(line: Buffer, offset: number): void;
  /** @param bytes of the checked file */
  finish(bytes: number): void;
  /** An empty file. */
  finishEmpty(): void;
  abandon(): void;
}

const newline = Buffer.from('\n');
const COPY_BYTES = 1024 * 1024;

/**
 * Writes the good lines of the file at `from`. As long as they are all lines from its beginning, each with a newline,
 * nothing is written; a file in which all lines are good gets a second name (a hard link), because neither ever changes.
 */
export function openGoodLines(from: string, to: string): GoodLines {
  /**
   * Where the next line has to begin: all before it are good lines, and each but the last certainly ends with a newline
   * alone. They are copied when another line comes.
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

/** False if the disk has no links. */
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

/**
 * Section 8: the largest line (a product), in bytes without its newline. "4 MB" is read as 4 * 1024², the larger of its
 * two meanings.
 */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Section 8: the most lines of a file. */
export const MAX_LINES = 500_000;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export interface LineEvents {
  /**
   * `bytes` is valid only during the call; `num` counts from 1; `offset` is the line's first byte in the file. If it
   * returns false, nothing more is reported.
   */
  line(bytes: Buffer, num: number, offset: number): void | false;
  /** A line over the limit. It was skipped without being read into memory. */
  tooLong(num: number, length: number): void;
  /** There are more lines than the limit; nothing is reported after this. */
  tooMany(num: number): void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Ends the stream: reports a last line without a newline. */
  end(): void;
  /** The lines reported so far, including too long ones. */
  readonly lines: number;
  /** Whether further input is ignored: there were too many lines, or `line` returned false. */
  readonly isStopped: boolean;
}

export interface LineLimits {
  readonly maxLineBytes?: number;
  readonly maxLines?: number;
}

/**
 * Splits a stream of bytes into lines at \n and drops a \r before it (node:readline has no limit for a line, treats a
 * single \r as a line end and silently repairs bad UTF-8). A UTF-8 byte order mark at the start is dropped (assumed:
 * the specification requires UTF-8 in section 2.1 and does not mention the mark). An empty rest after the last newline
 * is not a line.
 */
export function createLineSplitter(
  events: LineEvents,
  { maxLineBytes = MAX_LINE_BYTES, maxLines = MAX_LINES }: LineLimits = {},
): LineSplitter {
  let lines = 0;
  let stopped = false;
  /** The beginning of a line that is not complete yet. */
  let head: Buffer[] = [];
  let headBytes = 0;
  /** The current line is over the limit: its bytes are counted, not kept. */
  let skipping = false;
  /** Where the current line begins in the file. */
  let offset = 0;

  /** Counts a line; false if there are too many. */
  function isCounted(): boolean {
    if (lines < maxLines) {
      lines += 1;
      return true;
    }
    stopped = true;
    events.tooMany(lines + 1);
    return false;
  }

  function take(bytes: Buffer, hasNewline: boolean): void {
    const from = offset === 0 && bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    const to = hasNewline && bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    const isNothing = !hasNewline && to <= from;
    if (isNothing || !isCounted()) return;
    const line = bytes.subarray(from, Math.max(from, to));
    if (line.length > maxLineBytes) events.tooLong(lines, line.length);
    else if (events.line(line, lines, offset + from) === false) stopped = true;
  }

  /** Ends the current line with its last piece. */
  function close(tail: Buffer, hasNewline: boolean): void {
    const length = headBytes + tail.length;
    if (!skipping) take(head.length === 0 ? tail : Buffer.concat([...head, tail]), hasNewline);
    else if (isCounted()) events.tooLong(lines, length);
    offset += length + (hasNewline ? 1 : 0);
    head = [];
    headBytes = 0;
    skipping = false;
  }

  function keep(piece: Buffer): void {
    headBytes += piece.length;
    // The byte order mark and the \r do not belong to the line, so until its end the line may seem a few bytes too
    // long.
    skipping ||= headBytes > maxLineBytes + BOM.length + 1;
    if (skipping) head = [];
    else head.push(Buffer.from(piece));
  }

  return {
    get lines() {
      return lines;
    },
    get isStopped() {
      return stopped;
    },
    push(chunk) {
      if (stopped) return;
      let from = 0;
      let to = chunk.indexOf(NEWLINE);
      while (to >= 0) {
        close(chunk.subarray(from, to), true);
        if (stopped) return;
        from = to + 1;
        to = chunk.indexOf(NEWLINE, from);
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      if (!stopped && headBytes > 0) close(Buffer.alloc(0), false);
    },
  };
}

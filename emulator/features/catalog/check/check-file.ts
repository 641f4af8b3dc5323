import { open, rm } from 'node:fs/promises';
import { createLineCheck } from './check-lines.ts';
import { partPath } from './file-writer.ts';
import { openGoodLines } from './good-lines.ts';
import { openIssueLog } from './issues.ts';
import { createLineSplitter, type LineEvents } from './lines.ts';
import type { CheckOptions, CheckProgress, CheckReport } from './report.ts';
import { openSavedVariants } from './saved-variants.ts';
import { openSeenLines } from './seen-lines.ts';

export interface CheckFileOptions extends CheckOptions {
  /** Called every 8 MB and at the end. */
  readonly onProgress?: (progress: CheckProgress) => void;
  readonly signal?: AbortSignal;
  /** Bytes that are read at once. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 1024 * 1024;
const PROGRESS_BYTES = 8 * 1024 * 1024;

/**
 * Checks a catalog file (sections 2.1 and 8) in one pass and in this thread; use `startCheck` if the thread must stay
 * free. Memory grows by 11 to 23 bytes per id and 13 per line, whatever the file's size. The issues file and the good
 * file appear when the check is done. Throws when a file cannot be read or written, or `signal` is aborted; then
 * neither appears.
 */
export async function checkFile(options: CheckFileOptions): Promise<CheckReport> {
  const { path, issuesPath, goodPath, savedDir } = options;
  const saved = openSavedVariants(savedDir);
  const seen = openSeenLines(path);
  const log = openIssueLog(issuesPath);
  const goodFile = goodPath === null ? null : openGoodLines(path, goodPath);
  let goodLines = 0;
  try {
    const check = createLineCheck({
      log,
      seen,
      saved,
      onGood(bytes, _num, offset) {
        goodLines += 1;
        goodFile?.add(bytes, offset);
      },
    });
    const { lines, bytes } = await readLines(options, check, () => log.count);
    if (!check.isRefused) check.end();
    else goodLines = 0;

    if (check.isRefused) goodFile?.finishEmpty();
    else goodFile?.finish(bytes);
    const report = { lines, goodLines, issueCount: log.count, issues: log.shown(), counts: log.counts };
    log.finish();
    return report;
  } catch (error) {
    goodFile?.abandon();
    log.abandon();
    await rm(partPath(issuesPath), { force: true });
    if (goodPath !== null) await rm(partPath(goodPath), { force: true });
    throw error;
  } finally {
    seen.close();
    saved.close();
  }
}

/** Sends the file through the splitter and returns its size. */
async function readLines(
  { path, onProgress, signal, chunkBytes = CHUNK_BYTES }: CheckFileOptions,
  events: LineEvents,
  errors: () => number,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  const splitter = createLineSplitter(events);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const file = await open(path, 'r');
  let bytes = 0;
  let told = 0;
  try {
    while (!splitter.isStopped) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
      if (bytes - told < PROGRESS_BYTES) continue;
      told = bytes;
      onProgress?.({ bytes, lines: splitter.lines, errors: errors() });
    }
    splitter.end();
  } finally {
    await file.close();
  }
  onProgress?.({ bytes, lines: splitter.lines, errors: errors() });
  return { lines: splitter.lines, bytes };
}

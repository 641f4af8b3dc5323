import { rm } from 'node:fs/promises';
import { createLineCheck, type LineCheckDeps } from './check-lines.ts';
import { partPath } from './file-writer.ts';
import { openGoodLines } from './good-lines.ts';
import { openIssueLog } from './issues.ts';
import { readLines, type ReadingOptions } from './read-lines.ts';
import type { CheckOptions, CheckReport } from './report.ts';
import { openSavedVariants } from './saved-variants.ts';
import { openSeenLines } from './seen-lines.ts';

export type CheckFileOptions = CheckOptions & ReadingOptions & Pick<LineCheckDeps, 'losses'>;

/**
 * Checks a catalog file (sections 2.1 and 8) in one pass and in this thread; use `startCheck` if the thread must stay
 * free. Memory grows by 11 to 23 bytes per id and 13 per line, whatever the file's size. The issues file and the good
 * file appear when the check is done. Throws when a file cannot be read or written, or `signal` is aborted; then
 * neither appears.
 */
export async function checkFile(options: CheckFileOptions): Promise<CheckReport> {
  const { path, issuesPath, goodPath, savedDir, losses } = options;
  const saved = openSavedVariants(savedDir);
  const seen = openSeenLines(path);
  const log = openIssueLog(issuesPath);
  const goodFile = goodPath === null ? null : openGoodLines(path, goodPath);
  let goodLines = 0;
  const check = createLineCheck({
    log,
    seen,
    saved,
    ...(losses && { losses }),
    onGood(bytes, _num, offset) {
      goodLines += 1;
      goodFile?.add(bytes, offset);
    },
  });
  const read = async () => {
    try {
      const all = await readLines(path, check, () => log.count, options);
      if (!check.isRefused) check.end();
      else goodLines = 0;
      return all;
    } finally {
      seen.close();
      saved.close();
    }
  };
  try {
    const { lines, bytes } = await read();
    // By now no file is open that is replaced, which Windows would refuse: the earlier good file may be a second name
    // of the checked one.
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
  }
}

import { Activity, Check, CheckCheck, CircleDashed, CircleSlash, TriangleAlert } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { UploadRecord } from '../../../emulator/control/calls.ts';
import { counted, toBytes, toCount } from '../../format.ts';
import { badLines } from '../../parts/bad-lines.ts';

type State = UploadRecord['state'];

/** The progress of a check, in bytes. */
export interface Progress {
  readonly done: number;
  readonly of: number;
}

/** The progress of a check, with its findings so far. */
export interface CheckProgress extends Progress {
  readonly lines: number;
  readonly errors: number;
  /** The estimated milliseconds left; null until they can be estimated. */
  readonly leftMs: number | null;
}

/** The icon and tone of each state, so that colour is never the only sign. */
export const faces: {
  readonly [state in State]: { readonly icon: Component; readonly tone: 'ok' | 'info' | 'warn' | 'bad' | 'idle' };
} = {
  initialized: { icon: CircleDashed, tone: 'idle' },
  validating: { icon: Activity, tone: 'info' },
  validated: { icon: Check, tone: 'ok' },
  completed: { icon: CheckCheck, tone: 'ok' },
  expired: { icon: CircleSlash, tone: 'idle' },
  save_failed: { icon: TriangleAlert, tone: 'bad' },
};

/** The text of a move's button, by event. */
export const verbs: { readonly [event: string]: string } = {
  fileReceived: 'Receive the file',
  expire: 'Expire the link',
  checked: 'Finish the check',
  save: 'Save the catalog',
  saveFailed: 'Fail the save',
};

/** The toast after a person's move, by the new state. */
export const outcomes: { readonly [state in State]: string } = {
  initialized: 'Upload initialized',
  validating: 'The file was received',
  validated: 'The check was finished',
  completed: 'The catalog was saved',
  expired: 'The link expired',
  save_failed: 'The save failed',
};

export const toPercent = ({ done, of }: Progress): number =>
  of === 0 ? 0 : Math.min(100, Math.floor((100 * done) / of));

/** Why a report exists although the file was not checked: the check was cancelled or failed. Null if it was checked. */
export function whyUnchecked({ report }: UploadRecord): string | null {
  const [issue] = report?.issues ?? [];
  return issue && ['catalog.check-cancelled', 'catalog.check-failed'].includes(issue.errorType)
    ? issue.errorMessage
    : null;
}

/** A sentence about an upload: the emphasised part, and the rest. */
export function toSentence(upload: UploadRecord, progress: Progress | null): readonly [strong: string, rest: string] {
  const { state, report, validateOnly, bytes, productsProcessed } = upload;
  if (state === 'initialized') return ['It waits for its file', ', which is sent with PUT to its link.'];
  if (state === 'expired')
    return ['The link no longer accepts a file', ': none arrived in time. Initiate a new upload.'];
  const unchecked = whyUnchecked(upload);
  if (unchecked !== null && (state === 'validating' || state === 'validated'))
    return ['The file was not checked', `: ${unchecked}`];
  if (state === 'validating') {
    if (report) return ['The file is checked', ', and clients still read validating until the next move.'];
    const size = bytes === null ? 'The file' : `The file of ${toBytes(bytes)}`;
    return [`${size} is being checked`, progress ? `, ${toPercent(progress)} % of it so far.` : '.'];
  }
  if (!report) return ['The file was checked.', ''];
  const good = `${counted(report.goodLines, 'product')} ${report.goodLines === 1 ? 'is' : 'are'} good`;
  const bad = badLines(upload);
  const wrong = bad === 0 ? '' : `, ${counted(bad, 'line')} ${bad === 1 ? 'is' : 'are'} not`;
  if (state === 'validated') {
    if (report.lines === 0) return ['Nothing in the file can be saved', `: ${report.issues[0]?.errorMessage ?? ''}`];
    return [good, `${wrong}. ${validateOnly ? 'It was only checked: nothing is saved.' : 'Nothing is saved yet.'}`];
  }
  if (state === 'save_failed') return ['Nothing was saved', `: ${upload.history.at(-1)?.why ?? ''}`];
  const saved = productsProcessed ?? 0;
  const left = bad === 0 ? '.' : `; ${counted(bad, 'line')} in error ${bad === 1 ? 'was' : 'were'} left out.`;
  return [`${counted(saved, 'product')} ${saved === 1 ? 'is' : 'are'} saved`, left];
}

/** Shown at the right of an upload's second line. */
export function toRemark(upload: UploadRecord, progress: Progress | null): string {
  const { state, report, productsProcessed, bytes } = upload;
  if (state === 'validating')
    return progress && !report ? `${toPercent(progress)} %` : bytes === null ? '' : toBytes(bytes);
  if (state === 'completed') return `${toCount(productsProcessed ?? 0)} saved`;
  if (state === 'save_failed') return 'operator notified';
  if (state === 'expired') return 'link unused';
  if (state === 'initialized') return '';
  const bad = badLines(upload);
  if (report && report.issueCount > 0 && bad === 0) return 'refused';
  return bad === 0 ? 'no error' : `${counted(bad, 'line')} wrong`;
}

/** The rule of an error as the views of a file name it: `catalog.url` → `url`. */
export const toRule = (errorType: string): string => errorType.replace(/^catalog\./, '');

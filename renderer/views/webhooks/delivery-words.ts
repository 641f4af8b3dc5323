import { toOrdinal } from '../../../emulator/contract/digits.ts';
import type { DeliveryAttemptView, DeliveryDetailView, DeliveryLineView } from '../../../emulator/control/calls.ts';
import { toMs } from '../../format.ts';
import { bytesOf } from '../../http-text/wire.ts';

/** A piece of the sentence: plain text, a status code, or a time that is counted down. */
export type LeadPart = { readonly text: string } | { readonly status: number } | { readonly due: string };

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function toNth(count: number): string {
  return ordinals[count - 1] ?? toOrdinal(count);
}

function toTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** How many of the last attempts in a row had the same status. */
function sameAnswers(attempts: readonly DeliveryAttemptView[]): number {
  const status = attempts.at(-1)?.response?.status ?? null;
  const other = attempts.findLastIndex(({ response }) => (response?.status ?? null) !== status);
  return attempts.length - 1 - other;
}

/** Describes the result of a delivery in one sentence. */
export function toLead(delivery: DeliveryDetailView): readonly LeadPart[] {
  const { state, attempts, attemptCount, nextAttemptAt, history, asksReach, webhookId } = delivery;
  const last = attempts.at(-1);
  const status = last?.response?.status ?? null;
  const answered: readonly LeadPart[] =
    status === null ? [{ text: 'No answer came' }] : [{ text: 'Your receiver answered ' }, { status }];
  switch (state) {
    case 'queued':
      return [{ text: attemptCount === 0 ? 'It is queued.' : 'It is queued to be sent again.' }];
    case 'delivering':
      return [{ text: 'It is in progress; there is no answer yet.' }];
    case 'delivered':
      return [
        ...answered,
        {
          text: ` in ${toMs(last?.durationMs ?? 0)} ms${attemptCount > 1 ? `, at the ${toNth(attemptCount)} attempt` : ''}.`,
        },
      ];
    case 'retrying':
      return [
        ...answered,
        {
          text: `${attemptCount > 1 ? ` ${toTimes(sameAnswers(attempts))}` : ''}. The ${toNth(attemptCount + 1)} attempt is due `,
        },
        ...(nextAttemptAt === null ? [] : [{ due: nextAttemptAt }]),
        { text: '.' },
      ];
    case 'failed':
      if (asksReach !== null)
        return [
          {
            text: `Nothing was sent: the address is outside of what this ${webhookId === null ? 'delivery' : 'webhook'} may reach.`,
          },
        ];
      if (last === undefined) return [{ text: 'It was given up before it was sent.' }];
      return [
        { text: attemptCount === 1 ? 'Given up after one attempt: ' : `Given up after ${attemptCount} attempts: ` },
        ...(status === null ? [{ text: 'no answer came' }] : [{ text: 'your receiver answered ' }, { status }]),
        { text: '.' },
      ];
    case 'paused':
      return [{ text: `Paused. ${history.at(-1)?.why ?? ''}`.trim() }];
  }
}

/** The last cell of a row: when the next attempt is due, or how long the last one took. */
export function toLastCell({ state, attempts, attemptCount }: DeliveryLineView): string {
  const last = attempts.at(-1);
  if (state === 'queued') return attemptCount === 0 ? '' : 'again';
  if (state === 'delivering') return 'in progress';
  if (state === 'failed') return last?.status ? `gave up, ${last.status}` : 'gave up';
  if (state === 'paused') return 'not scheduled';
  return last ? `${toMs(last.durationMs)} ms` : '';
}

/**
 * The size of an answer's body in bytes. Of a long body only the start is stored, and of a binary body a description.
 */
export function sizeOf({ headers, body, binaryBytes }: NonNullable<DeliveryAttemptView['response']>): number {
  return binaryBytes ?? Math.max(bytesOf(body), Number(headers['content-length']) || 0);
}

/** Whether the body of an answer is not text: a sentence about its bytes is stored instead. */
export function isDescribed(response: DeliveryAttemptView['response']): boolean {
  return response?.binaryBytes !== undefined;
}

import { toOrdinal } from '../contract/digits.ts';
import type { FaultView } from '../control/calls.ts';
import { sayDuration } from '../time/duration.ts';

/** A fault as a sentence: `The next GET /me is answered with 503 and Retry-After 2 s.` */
export function toFaultSentence(fault: FaultView): string {
  const { status, retryAfter, delay, cut, reset, after } = fault;
  const cutWhere = cut === null ? '' : `, cut ${cut === true ? 'half-way' : `after ${cut} bytes`}`;
  const answer =
    status === null
      ? `gets its usual answer${cutWhere}`
      : `is answered with ${status}${retryAfter === null ? '' : ` and Retry-After ${retryAfter} s`}${cutWhere}`;
  const steps = [
    after ? 'is handled, so its changes stay' : null,
    delay === null ? null : `waits ${sayDuration(delay)}`,
    reset ? 'has its connection reset' : answer,
  ];
  return `${toSubject(fault)} ${steps.filter((step) => step !== null).join(', then ')}.`;
}

function toSubject({ operation, times, every }: FaultView): string {
  const what = operation === '*' ? 'request' : operation;
  if (every !== null) return `Every ${toOrdinal(every)} ${what}${times === null ? '' : `, ${times} times in all,`}`;
  return times === null || times === 1
    ? `The next ${what}`
    : `Each of the next ${times} ${what}${operation === '*' ? 's' : ''}`;
}

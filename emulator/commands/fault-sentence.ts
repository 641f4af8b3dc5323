import type { FaultView } from '../control/calls.ts';
import { toSentence } from '../http/faults/effects.ts';
import { sayDuration } from '../time/duration.ts';

/** A fault as a sentence: `The next GET /me is answered with 503 and Retry-After 2 s.` */
export function toFaultSentence(fault: FaultView): string {
  return toSentence({ ...fault, delay: fault.delay === null ? null : sayDuration(fault.delay) });
}

import { Check, CircleDashed, Loader } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { PrivacyRequestRecord } from '../../../emulator/control/calls.ts';

/** Section 8: a deletion is completed within thirty days. */
const term = 30 * 86_400_000;

/** Until when a request must be done, ISO. */
export function toDeadline({ requestedAt }: PrivacyRequestRecord): string {
  return new Date(Date.parse(requestedAt) + term).toISOString();
}

/** Whom a request names, as it names them. */
export function toSubject({ subjectPhone, subjectEmail, clientUserId }: PrivacyRequestRecord): string {
  return [subjectPhone, subjectEmail].filter((one) => one !== null).join(' or ') || (clientUserId ?? 'nobody');
}

/** A state's own sign and colour: never the colour alone. */
export const faces: {
  readonly [state in PrivacyRequestRecord['state']]: {
    readonly icon: Component;
    readonly tone: 'idle' | 'info' | 'ok';
  };
} = {
  received: { icon: CircleDashed, tone: 'idle' },
  processing: { icon: Loader, tone: 'info' },
  processed: { icon: Check, tone: 'ok' },
};

import { Check, CircleDashed, Loader } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { PrivacyRequestRecord } from '../../../emulator/control/calls.ts';

/** Section 8: a deletion is completed within thirty days. */
const term = 30 * 86_400_000;

/** The deadline of a request, ISO 8601. */
export function toDeadline({ requestedAt }: PrivacyRequestRecord): string {
  return new Date(Date.parse(requestedAt) + term).toISOString();
}

/** The person in a request, as the request names them. */
export function toSubject({ subjectPhone, subjectEmail, clientUserId }: PrivacyRequestRecord): string {
  return [subjectPhone, subjectEmail].filter((one) => one !== null).join(' or ') || (clientUserId ?? 'nobody');
}

/** The icon and tone of each state, so that colour is never the only sign. */
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

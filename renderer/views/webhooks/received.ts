import type { ReceiverView } from '../../../emulator/control/calls.ts';

type Received = ReceiverView['received'][number];

/** The type of the event that the receiver got, and the person it is about; null if it got something else. */
export function toEvent({ body }: Pick<Received, 'body'>): { readonly type: string; readonly about: string } | null {
  const { type, subscriber } = toFields(toValue(body));
  if (typeof type !== 'string') return null;
  const { email, phone } = toFields(subscriber);
  const about = type.startsWith('email.') ? (email ?? phone) : (phone ?? email);
  return { type, about: typeof about === 'string' ? about : '' };
}

/** The id of the event, by which its delivery is found; null for a request that is not a delivery. */
export const toEventId = ({ headers }: Pick<Received, 'headers'>): string | null => headers['webhook-id'] ?? null;

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Anyone may send it anything.
    return null;
  }
}

/** The fields of a value; none if it is not an object. */
const toFields = (value: unknown): { readonly [name: string]: unknown } => Object(value);

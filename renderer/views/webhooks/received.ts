import type { ReceiverView } from '../../../emulator/control/calls.ts';
import { isJsonObject } from '../../../emulator/contract/json-object.ts';
import { jsonOf } from '../../../emulator/contract/json-of.ts';

type Received = ReceiverView['received'][number];

/** The type of the event that the receiver got, and the person it is about; null if it got something else. */
export function toEvent({ body }: Pick<Received, 'body'>): { readonly type: string; readonly about: string } | null {
  const value = jsonOf(body);
  if (!isJsonObject(value) || typeof value['type'] !== 'string') return null;
  const { type, subscriber } = value;
  const { email, phone } = isJsonObject(subscriber) ? subscriber : {};
  const about = type.startsWith('email.') ? (email ?? phone) : (phone ?? email);
  return { type, about: typeof about === 'string' ? about : '' };
}

/** The id of the event, by which its delivery is found; null for a request that was no delivery. */
export const toEventId = ({ headers }: Pick<Received, 'headers'>): string | null => headers['webhook-id'] ?? null;

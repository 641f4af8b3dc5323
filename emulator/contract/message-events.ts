import type { EventDetails, EventType } from './event-schemas.ts';

interface OfMessage {
  readonly sent: EventType;
  readonly clicked: EventType;
  readonly opened?: EventType;
}

/** The events about one message, by its channel. The platform does not learn whether a text was read. */
export const messageEvents = {
  TEXT: { sent: 'sms.sent', clicked: 'sms.message_link_click' },
  EMAIL: { sent: 'email.sent', clicked: 'email.message_link_click', opened: 'email.opened' },
} as const satisfies { readonly [channel: string]: OfMessage };

type ChannelOf<T extends EventType> = EventDetails[T] extends { readonly message: { readonly channel: infer Channel } }
  ? Channel
  : never;

/** The channel of each event that is about a sent message. If one is missing, this does not compile. */
const channels: { readonly [T in EventType as [ChannelOf<T>] extends [never] ? never : T]: ChannelOf<T> } = {
  'sms.sent': 'TEXT',
  'sms.message_link_click': 'TEXT',
  'email.sent': 'EMAIL',
  'email.message_link_click': 'EMAIL',
  'email.opened': 'EMAIL',
};

/** The channel of the message that an event is about; null if it is not about a sent message. */
export function messageChannelOf(type: EventType): 'TEXT' | 'EMAIL' | null {
  return type in channels ? channels[type as keyof typeof channels] : null;
}

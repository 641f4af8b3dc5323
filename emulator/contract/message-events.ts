import type { EventType } from './event-schemas.ts';

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

/** The channel of the message that an event is about; null if it is about none that was sent. */
export function messageChannelOf(type: EventType): keyof typeof messageEvents | null {
  const channels = ['TEXT', 'EMAIL'] as const;
  return channels.find((channel) => Object.values<EventType>(messageEvents[channel]).includes(type)) ?? null;
}

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

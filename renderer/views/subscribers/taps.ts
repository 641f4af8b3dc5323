import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { Body, MessageView, PersonDeliveryView, PersonTapView, TapView } from '../../../emulator/control/calls.ts';
import { messageEvents } from '../../../emulator/contract/message-events.ts';
import { call } from '../../live/backend/control.ts';
import { whenReplaced } from '../../live/connection.ts';

/** An event that an act or a message sent to webhooks. */
export interface Fired {
  readonly type: string;
  /** The time on the virtual clock; null if it is unknown. */
  readonly at: string | null;
  readonly deliveries: readonly PersonDeliveryView[];
}

/** Replies that were typed but not sent: person and phone → text. */
export const useDrafts = defineStore('drafts', () => {
  const drafts = shallowReactive(new Map<string, string>());
  whenReplaced(() => drafts.clear());
  return { drafts };
});

/** Performs an act of a person on a message. */
export function perform(messageId: string, tap: Body<'POST /control/messages/{id}/acts'>): Promise<TapView> {
  return call('POST /control/messages/{id}/acts', { params: { id: messageId }, body: tap });
}

/** The events of a message and of acts on it, with their deliveries, even if no webhook lists the event. */
export function toFired(message: MessageView, deliveries: readonly PersonDeliveryView[]): readonly Fired[] {
  const { id, channel, clicks, opens } = message;
  const events = messageEvents[channel];
  const of = (type: string): readonly PersonDeliveryView[] =>
    deliveries.filter((one) => one.messageId === id && one.type === type);
  const sent = of(events.sent);
  const fired = (type: string, at: string | undefined) => ({ type, at: at ?? null, deliveries: of(type) });
  return [
    ...(sent.length > 0 ? [fired(events.sent, message.sentAt)] : []),
    ...('opened' in events && opens.length > 0 ? [fired(events.opened, opens.at(-1))] : []),
    ...(clicks.length > 0 ? [fired(events.clicked, clicks.at(-1)?.at)] : []),
  ];
}

/** The events of a reply or an unsubscribe, which name no message, such as the end of a subscription. */
export function toFiredBy({ published, deliveries }: PersonTapView): readonly Fired[] {
  return [...new Set(published)].map((type) => ({
    type,
    at: null,
    deliveries: deliveries.filter((one) => one.type === type),
  }));
}

import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import type { Body, MessageView, PersonDeliveryView, TapView } from '../../../emulator/control/calls.ts';
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

/** The number of messages whose acts are kept here. */
const keptMessages = 200;

/** The acts on the simulated phone and inbox while this page is open: message id → answers, oldest first. */
export const useTaps = defineStore('taps', () => {
  const results = shallowRef<ReadonlyMap<string, readonly TapView[]>>(new Map());
  const drafts = shallowReactive(new Map<string, string>());
  whenReplaced(() => {
    results.value = new Map();
    drafts.clear();
  });

  /**
   * Performs an act of a person on a message. A reply is kept under the new message, any other act under the old one.
   */
  async function perform(messageId: string, tap: Body<'POST /control/messages/{id}/acts'>): Promise<TapView> {
    const result = await call('POST /control/messages/{id}/acts', { params: { id: messageId }, body: tap });
    const next = new Map(results.value);
    const { id } = result.message;
    const before = next.get(id) ?? [];
    next.delete(id);
    next.set(id, [...before, result].slice(-20));
    for (const oldest of next.keys()) {
      if (next.size <= keptMessages) break;
      next.delete(oldest);
    }
    results.value = next;
    return result;
  }

  return {
    results,
    /** Replies that were typed but not sent: person and phone → text. */
    drafts,
    perform,
  };
});

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

/** Other events of an act, which name no message, such as the end of a subscription. */
export function toFiredBy(result: TapView, deliveries: readonly PersonDeliveryView[]): readonly Fired[] {
  const made = result.changes.flatMap(({ kind, after }) =>
    kind === 'deliveries' && after !== null ? [after as PersonDeliveryView] : [],
  );
  const now = new Map(deliveries.map((one) => [one.id, one]));
  return [...new Set(result.published)].map((type) => ({
    type,
    at: null,
    deliveries: made.filter((one) => one.type === type).map((one) => now.get(one.id) ?? one),
  }));
}

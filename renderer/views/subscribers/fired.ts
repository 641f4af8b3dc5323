import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { TapView, MessageView, PersonDeliveryView } from '../../../emulator/control/protocol.ts';
import { call } from '../../live/backend/control.ts';
import { useConnection } from '../../live/connection.ts';

export type Act =
  | { readonly act: 'open' }
  | { readonly act: 'click'; readonly link: number }
  | { readonly act: 'unsubscribe' }
  | { readonly act: 'reply'; readonly text: string };

/** An event that an act or a message sent to webhooks. */
export interface Fired {
  readonly type: string;
  /** When, on the virtual clock; null if that is not known. */
  readonly at: string | null;
  readonly deliveries: readonly PersonDeliveryView[];
}

/** How many messages keep what was done with them here. */
const keptMessages = 200;

/** What was done on the simulated phone and in the inbox while this page is open: message id → answers, oldest first. */
export const useScreenActs = defineStore('screen-acts', () => {
  const connection = useConnection();
  const results = shallowRef<ReadonlyMap<string, readonly TapView[]>>(new Map());
  connection.watch(({ type }) => {
    if (type === 'reset') results.value = new Map();
  });

  /** Does what a person does with a message. A reply is kept under what they wrote, the others under the message. */
  async function perform(messageId: string, act: Act): Promise<TapView> {
    const result = await call('POST /control/messages/{id}/acts', { params: { id: messageId }, body: act });
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

  return { results, perform };
});

/** What a message itself and acts on it fired, as the deliveries tell; even if no webhook lists the event. */
export function toFired(message: MessageView, deliveries: readonly PersonDeliveryView[]): readonly Fired[] {
  const { id, channel, clicks, opens } = message;
  const text = channel === 'TEXT';
  const of = (type: string): readonly PersonDeliveryView[] =>
    deliveries.filter((one) => one.messageId === id && one.type === type);
  const sent = of(text ? 'sms.sent' : 'email.sent');
  const click = text ? 'sms.message_link_click' : 'email.message_link_click';
  return [
    ...(sent.length > 0 ? [{ type: sent[0]?.type ?? '', at: message.sentAt, deliveries: sent }] : []),
    ...(opens.length > 0 ? [{ type: 'email.opened', at: opens.at(-1) ?? null, deliveries: of('email.opened') }] : []),
    ...(clicks.length > 0 ? [{ type: click, at: clicks.at(-1)?.at ?? null, deliveries: of(click) }] : []),
  ];
}

/** What else an act fired: events that name no message, such as the end of a subscription. */
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

import { eventTypes } from '../contract/event-schemas.ts';
import { deliveryTable } from '../delivery/table.ts';
import type { Delivery, Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryFields, DeliveryFilter, DeliveryWaitOptions } from './api.ts';
import { checkFilter, text, type Expected } from './checks.ts';
import { describeFilter, toPredicate } from './filters.ts';
import { toTimeout, type Waiting } from './waiting.ts';

const made: Expected = {
  takes: 'a delivery',
  fits: (value) => {
    const { id, eventId } = Object(value) as { readonly id?: unknown; readonly eventId?: unknown };
    return typeof id === 'string' && typeof eventId === 'string';
  },
};

/** Lists the deliveries for assertions, and waits for them. */
export function createDeliveryWaits({ store, waiting }: { store: Store; waiting: Waiting }) {
  const all = (): readonly Delivery[] => store.deliveries.records();
  return {
    list: (filter: DeliveryFilter = {}): readonly Delivery[] => all().filter(toMatcher(filter)),
    wait: (filter: DeliveryFilter, options?: DeliveryWaitOptions): Promise<Delivery> =>
      waiting.until(() => {
        const matches = toMatcher(filter);
        // Without a given state it waits for the result of the event, not only for a queued delivery.
        const anyState = typeof filter === 'function' || filter.state !== undefined;
        const timeoutMs = toTimeout(options, { after: made });
        const after = options?.after;
        return {
          what: `delivery ${describeFilter(filter)}${after === undefined ? '' : ` after ${after.id}`}`,
          timeoutMs,
          check: () => madeAfter(all(), after).find((one) => (anyState || one.attemptCount > 0) && matches(one)),
          explain: () => [toStory(all(), store), ...toNotices(store)].join('\n'),
        };
      }),
    /** Says which events are sent to a port of this machine, and which were not delivered. */
    storyOf: (port: number): string => toStoryOf(port, all(), store),
  };
}

function toMatcher(filter: DeliveryFilter): (delivery: Delivery) => boolean {
  if (typeof filter === 'function') return toPredicate(filter);
  checkFilter('a filter of deliveries', filter, {
    type: eventTypes,
    state: deliveryTable.states,
    webhookId: text,
    eventId: text,
  });
  return (delivery) => fits(delivery, filter);
}

function fits(delivery: Delivery, { type, state, webhookId, eventId }: DeliveryFields): boolean {
  return (
    (type === undefined || delivery.type === type) &&
    (state === undefined || delivery.state === state) &&
    (webhookId === undefined || delivery.webhookId === webhookId) &&
    (eventId === undefined || delivery.eventId === eventId)
  );
}

/** The deliveries made after one; all of them if that one is no longer there. */
function madeAfter(deliveries: readonly Delivery[], after: DeliveryWaitOptions['after']): readonly Delivery[] {
  if (after === undefined) return deliveries;
  // A reset starts the ids again, so an id alone may be that of another delivery.
  return deliveries.slice(deliveries.findIndex(({ id, eventId }) => id === after.id && eventId === after.eventId) + 1);
}

/**
 * Says what happened instead of the awaited delivery: the newest five. If there are none, it lists the webhooks that
 * could have received one.
 */
function toStory(deliveries: readonly Delivery[], store: Store): string {
  if (deliveries.length > 0) {
    const count = deliveries.length === 1 ? 'There is one' : `There are ${deliveries.length}, the last of them`;
    return `${count}:${toLines(deliveries)}`;
  }
  const webhooks = store.webhooks.records();
  if (webhooks.length === 0) return 'There is no delivery at all, because there is no webhook yet.';
  return `There is no delivery at all. The webhooks list:${toEvents(webhooks)}`;
}

function toStoryOf(port: number, deliveries: readonly Delivery[], store: Store): string {
  const isHere = ({ url }: { readonly url: string }): boolean => Number(new URL(url).port) === port;
  const webhooks = store.webhooks.records().filter(isHere);
  const missing = deliveries.filter((one) => isHere(one) && one.state !== 'delivered');
  return [
    webhooks.length === 0 ? 'No webhook has its address.' : `The webhooks with its address list:${toEvents(webhooks)}`,
    ...(missing.length === 0 ? [] : [`Not delivered:${toLines(missing)}`]),
    ...toNotices(store, webhooks),
  ].join('\n');
}

/** The newest three notices about these webhooks: that one was disabled, or that a loop was cut. */
function toNotices(store: Store, webhooks: readonly Webhook[] = store.webhooks.records()): readonly string[] {
  const ids = new Set(webhooks.map(({ id }) => id));
  return store.platformNotices
    .records()
    .filter(({ about = [] }) => about.some(({ kind, id }) => kind === 'webhooks' && ids.has(id)))
    .slice(-3)
    .map(({ text }) => text);
}

function toLines(deliveries: readonly Delivery[]): string {
  const lines = deliveries.slice(-5).map(({ type, url, state, attempts, nextAttemptAt }) => {
    const last = attempts.at(-1);
    const next = state === 'retrying' ? `, next at ${nextAttemptAt}` : '';
    return `\n  ${state}${next}  ${type} to ${url}${last ? `: ${last.error ?? `answered ${last.response?.status}`}` : ''}`;
  });
  return lines.join('');
}

function toEvents(webhooks: readonly Webhook[]): string {
  const lines = webhooks.map(
    ({ url, events, disabledAt }) => `\n  ${url}${disabledAt === null ? '' : ' (disabled)'}: ${events.join(', ')}`,
  );
  return lines.join('');
}

/** Outgoing webhooks (section 6): which webhooks get an event, and the state of each delivery. */
import { randomBytes } from 'node:crypto';
import { toIso, type Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import { createNotify } from '../notices.ts';
import { randomSecret } from '../ids.ts';
import { createLifecycle, type LifecycleFor, type Shift } from '../machine/lifecycle.ts';
import { enter } from '../machine/table.ts';
import type { Delivery, Reach, Webhook } from '../records.ts';
import { inThousands } from '../contract/digits.ts';
import { inBody, inPath, noSuch, refuse, type Place } from '../rules.ts';
import type { Change, Store } from '../store/store.ts';
import { createAlign } from './align.ts';
import { createChains } from './chains.ts';
import { shownNow } from './headers.ts';
import { hops, hopsHeader } from './loop-count.ts';
import { withNewSeries } from './outcome.ts';
import { toBody, toPayload, type PlatformEvent } from './payloads.ts';
import { deliveryRules } from './rules.ts';
import { createRunner } from './runner.ts';
import { createSender, type Sender } from './send.ts';
import { deliverySettings, type DeliverySettings } from './settings.ts';
import { deliveryTable, type DeliveryEvent } from './table.ts';
import { whyRefused, type Resolve } from './target.ts';
import { createTrim } from './trim.ts';
import { isWanted, type Wanted } from './wanted.ts';

export interface Deliveries {
  /**
   * Makes one delivery for each enabled webhook of the person's company that lists the type. Call it inside the
   * transaction that records the event's cause; sending starts once that transaction is kept.
   * @param note adds a note to the request that caused the event, if it is not sent because of a loop
   */
  publish(event: PlatformEvent, note?: (remark: string) => void): readonly Delivery[];
  /** Queues deliveries whose body is ready, for events fired by hand. */
  enqueue(wanted: readonly NewDelivery[]): readonly Delivery[];
  /**
   * Sends a delivery again, with the same event id. Refused if its webhook is deleted or disabled; throws IllegalMove
   * while the delivery is being sent.
   */
  redeliver(id: string): Delivery;
  /** Sends the failed ones of these deliveries again, if their webhooks still take deliveries. */
  redeliverFailed(wanted?: Wanted): { readonly sent: readonly Delivery[]; readonly notSent: readonly NotSent[] };
  /** Why nothing would be sent to a webhook; null if it may be sent, or if that depends on what a name resolves to. */
  whyRefused(webhook: Pick<Webhook, 'url' | 'reach'>): string | null;
  /** Gives a webhook a new signing key; the old one signs too for `overlapMs`. */
  rotateKey(webhookId: string, overlapMs?: number): Webhook;
  /** Runs the work of an API request that this many deliveries led to, see loop-count.ts. */
  withHops<T>(hops: number, work: () => T): T;
  /** The states of deliveries; `fire` moves one by hand. */
  readonly lifecycle: LifecycleFor<typeof deliveryTable>;
  readonly sender: Sender;
  /** Continues with the deliveries that a stop or a kill left behind. Called once, when the emulator listens. */
  resume(): void;
  /** Resolves with the record after its first attempt, or after a second of real time; null if it was deleted. */
  whenTried(id: string): Promise<Delivery | null>;
  /** Resolves when nothing is queued or being sent; retries that are not due do not count. */
  settled(): Promise<void>;
  /**
   * Stops sending. Sends may finish within half a second of the newest one; all others continue after the next start.
   */
  close(): Promise<void>;
}

export interface NewDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly companyId: string;
  readonly webhookId: string | null;
  readonly url: string;
  readonly reach: Reach;
  readonly body: string;
  readonly why: string;
}

/** Failed deliveries that cannot be sent again, because their webhook is disabled or deleted. */
export interface NotSent {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
  /** A sentence with the reason, and with the way to enable a disabled webhook. */
  readonly why: string;
}

export interface DeliveriesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  /** The ports this emulator listens on: nothing is delivered to them. */
  readonly ownPorts: () => readonly number[];
  readonly settings?: Partial<DeliverySettings> | undefined;
  readonly resolve?: Resolve | undefined;
  /** Whether API requests are currently arriving: a backlog then waits. */
  readonly hasRequests?: (() => boolean) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Creates the deliveries over a store. Nothing is sent before `resume`. */
export function createDeliveries({
  store,
  clock,
  feed,
  ownPorts,
  resolve,
  hasRequests = () => false,
  onError = () => {},
  ...more
}: DeliveriesOptions): Deliveries {
  const settings = { ...deliverySettings, ...more.settings };
  const chains = createChains(clock, settings);
  const sender = createSender({ clock, settings, ownPorts, resolve });
  const notify = createNotify({ store, clock, feed });
  const bare = createLifecycle({
    table: deliveryTable,
    collection: store.deliveries,
    store,
    clock,
    delays: () => null,
    onError,
  });
  const lifecycle: typeof bare = {
    ...bare,
    fire: (id, event, shift) => bare.fire(id, event, withSeries(event, shift)),
    async moveByHand(id, event) {
      // Redelivering also checks that the webhook still takes deliveries. A delivery under way has no such move.
      const isWaiting = ['queued', 'delivering'].includes(store.deliveries.get(id)?.state ?? '');
      if (event === 'redeliver' && !isWaiting) return redeliver(id);
      return lifecycle.fire(id, event as DeliveryEvent, { by: 'hand' });
    },
  };
  const runner = createRunner({
    store,
    clock,
    lifecycle,
    sender,
    settings,
    notify,
    onJump: chains.clear,
    hasRequests,
    onError,
  });
  const listeners = store.webhooks.index('byListedType', (webhook) =>
    webhook.disabledAt === null ? webhook.events.map((type) => `${webhook.companyId} ${type}`) : [],
  );
  let running = false;
  const trim = createTrim(store, settings.keptDeliveries);
  const { align, onWebhook } = createAlign(store, lifecycle);

  const enqueue = (wanted: readonly NewDelivery[]): readonly Delivery[] =>
    store.transact(() => {
      trim(wanted.length);
      const at = toIso(clock.now());
      return wanted.map(({ why, ...one }) =>
        lifecycle.start({
          id: `dlv_${store.nextNumber()}`,
          ...one,
          createdAt: at,
          seriesStartedAt: null,
          seriesAttempts: 0,
          nextAttemptAt: null,
          hops: (hops.current() ?? 0) + 1,
          attemptCount: 0,
          attempts: [],
          ...enter(deliveryTable, { by: 'call', at, why }),
        }),
      );
    }).result;

  const onCommit = (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.collection === 'deliveries') {
        chains.onChange(change.id, change.before as Delivery | null, change.after as Delivery | null);
        runner.onChange(change);
      }
      if (change.collection === 'webhooks') onWebhook(change.before as Webhook | null, change.after as Webhook | null);
    }
  };

  const start = (): void => {
    chains.clear();
    align(null);
    lifecycle.resume();
    runner.restart();
  };

  const unlisten: (() => void)[] = [];

  const takingWebhook = (id: string, place: Place): Webhook => {
    const webhook = store.webhooks.get(id);
    if (!webhook) return noSuch('webhook', id, place);
    if (webhook.disabledAt !== null)
      return refuse(deliveryRules.webhookDisabled, place, id, {
        webhookId: id,
        reason: webhook.disabledReason,
      });
    return webhook;
  };

  /** Why a webhook takes no deliveries; null if it takes them. */
  const whyNotTaken = (id: string): string | null => {
    const webhook = store.webhooks.get(id);
    if (!webhook) return `The webhook ${id} is deleted.`;
    if (webhook.disabledAt === null) return null;
    return deliveryRules.webhookDisabled.message({ webhookId: id, reason: webhook.disabledReason });
  };

  /**
   * Whether too many events about one person came in a row, each during or right after the delivery of the one before.
   */
  const isLoop = (webhook: Webhook, { type, user }: PlatformEvent): boolean => {
    if (hops.current() !== null || chains.next(webhook.id, type, user.id) <= settings.maxChain) return false;
    notify(
      'warning',
      user.companyId,
      `A loop was cut: ${inThousands(settings.maxChain)} times in a row ${type} happened to the person ${user.id} while the one before was delivered to ${webhook.url}, or right after, so it is not sent until that stops for ${settings.chainGapMs / 1000} s or the clock is moved. Probably the receiver calls the API because of the event; let it ignore what its own call causes. If other code makes these calls, send "${hopsHeader}: 0" with them, which says that no delivery led to them.`,
      [
        { kind: 'webhooks', id: webhook.id },
        { kind: 'users', id: user.id },
      ],
    );
    return true;
  };

  const redeliver = (id: string): Delivery => {
    const delivery = store.deliveries.get(id) ?? noSuch('delivery', id);
    if (delivery.webhookId !== null) takingWebhook(delivery.webhookId, inPath('id'));
    if (delivery.state === 'queued') return delivery;
    return lifecycle.fire(id, 'redeliver', { by: 'hand' });
  };

  return {
    publish(event, note) {
      const { user, type } = event;
      const listening = listeners.get(`${user.companyId} ${type}`);
      if (listening.length === 0) return [];
      if ((hops.current() ?? 0) >= settings.maxHops) {
        notify(
          'warning',
          user.companyId,
          `A loop was cut: ${settings.maxHops} deliveries in a row led to one another, so ${type} was not sent. A receiver calls the API because of an event that its own call causes.`,
          [...listening.map(({ id }) => ({ kind: 'webhooks', id })), { kind: 'users', id: user.id }],
        );
        note?.(`${type} was not sent: ${settings.maxHops} deliveries in a row led to this request (${hopsHeader}).`);
        return [];
      }
      const webhooks = listening.filter((webhook) => {
        if (!isLoop(webhook, event)) return true;
        note?.(
          `${type} was not sent to ${webhook.url}: more than ${inThousands(settings.maxChain)} in a row happened to this person, each right after the delivery of the one before, which is taken for a loop. Send "${hopsHeader}: 0" with calls that no delivery led to.`,
        );
        return false;
      });
      if (webhooks.length === 0) return [];
      const company = store.companies.get(user.companyId);
      if (!company) throw new Error(`The company ${user.companyId} of the person ${user.id} does not exist.`);
      const body = toBody(toPayload(event, company, shownNow(store, clock)));
      const eventId = newEventId();
      const { companyId } = user;
      const made = enqueue(
        webhooks.map((webhook) => ({
          eventId,
          type,
          companyId,
          webhookId: webhook.id,
          url: webhook.url,
          reach: webhook.reach,
          body,
          why: 'It happened, and the webhook lists it.',
        })),
      );
      if (hops.current() === null) for (const one of made) chains.note(one, user.id);
      return made;
    },
    enqueue,
    redeliver,
    redeliverFailed(wanted = {}) {
      const { webhookId } = wanted;
      if (webhookId !== undefined) takingWebhook(webhookId, inBody('/webhookId'));
      const failed = store.deliveries.records().filter((one) => one.state === 'failed' && isWanted(one, wanted));
      const notSent = [...new Set(failed.map((one) => one.webhookId))].flatMap((id): readonly NotSent[] => {
        const why = id === null ? null : whyNotTaken(id);
        if (id === null || why === null) return [];
        return [{ webhookId: id, deliveries: failed.filter((one) => one.webhookId === id), why }];
      });
      const open = failed.filter((one) => !notSent.some(({ webhookId: id }) => id === one.webhookId));
      return { sent: store.transact(() => open.map(({ id }) => redeliver(id))).result, notSent };
    },
    whyRefused: ({ url, reach }) => whyRefused(url, { reach, ownPorts: ownPorts() }),
    rotateKey(webhookId, overlapMs = settings.keyOverlapMs) {
      const webhook = store.webhooks.get(webhookId) ?? noSuch('webhook', webhookId);
      const previousKey = { key: webhook.signingKey, until: toIso(clock.now() + overlapMs) };
      return store.transact(() => store.webhooks.put({ ...webhook, signingKey: randomSecret(24), previousKey })).result;
    },
    withHops: hops.run,
    lifecycle,
    sender,
    resume() {
      if (running) return;
      running = true;
      unlisten.push(store.onCommit(onCommit), store.onReplace(start));
      start();
    },
    whenTried: (id) => runner.whenTried(id, settings.triggerGraceMs),
    settled: runner.settled,
    async close() {
      await runner.close();
      for (const stop of unlisten.splice(0)) stop();
    },
  };
}

/** An id by which receivers detect repetitions; never issued twice, even after a reset. */
export function newEventId(): string {
  return `evt_${randomBytes(12).toString('hex')}`;
}

/** A move by a developer or by enabling the webhook restarts the three days. */
function withSeries(event: DeliveryEvent, shift: Shift<Delivery>): Shift<Delivery> {
  if (event !== 'redeliver' && event !== 'resume') return shift;
  const { change } = shift;
  return { ...shift, change: change ? (one) => change(withNewSeries(one)) : withNewSeries };
}

/**
 * Sends the queued deliveries and records the results. All sends that begin or ended in one turn of the event loop are
 * one transaction, so that the journal grows by one line for all of them instead of two lines for each delivery.
 */
import { toIso, type Clock } from '../time/clock.ts';
import type { LifecycleFor } from '../machine/lifecycle.ts';
import type { Delivery, DeliveryAttempt, Webhook } from '../records.ts';
import type { Change, Store } from '../store/store.ts';
import { keysAt, shownNow, toHeaders } from './headers.ts';
import type { Notify } from '../notices.ts';
import { setImmediate } from '../globals.ts';
import { isSentTo, judge, withAttempt } from './outcome.ts';
import { holdAdvances } from './hold-advances.ts';
import { createPatience } from './patience.ts';
import { createQueue } from './queue.ts';
import type { Outcome, Sender } from './send.ts';
import type { DeliverySettings } from './settings.ts';
import type { deliveryTable } from './table.ts';

export interface Runner {
  /** Call it after every commit: sends deliveries that were queued in it, and drops those that left the queue. */
  onChange(change: Change): void;
  /** Starts again with the content of the store: running sends are dropped, and their late replies are ignored. */
  restart(): void;
  /**
   * Resolves with the record when it is neither waiting nor being sent, or after this many real ms; null if it was
   * deleted.
   */
  whenTried(id: string, limitMs: number): Promise<Delivery | null>;
  /** Resolves when nothing is queued or being sent. Retries that are not due yet do not count. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface RunnerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lifecycle: LifecycleFor<typeof deliveryTable>;
  readonly sender: Sender;
  readonly settings: DeliverySettings;
  readonly notify: Notify;
  /** Called when a jump of the clock begins. */
  readonly onJump: () => void;
  /** Whether API requests are arriving; these have priority. */
  readonly hasRequests: () => boolean;
  /** Called when the disk refuses a write. */
  readonly onError: (error: unknown) => void;
}

interface Finished {
  readonly id: string;
  readonly lane: string;
  /** On the virtual clock, epoch ms. */
  readonly sentAt: number;
  readonly attempt: DeliveryAttempt;
  readonly outcome: Outcome;
}

/** The lane in which a delivery waits. */
const laneOf = ({ webhookId, url }: Delivery): string => webhookId ?? `url ${url}`;

/** Creates the runner; it begins with `restart`. */
export function createRunner({
  store,
  clock,
  lifecycle,
  sender,
  settings,
  notify,
  onJump,
  hasRequests,
  onError,
}: RunnerOptions): Runner {
  const queue = createQueue(settings);
  const finished: Finished[] = [];
  const waitingForIdle = new Set<() => void>();
  const waitingForTry = new Map<string, (() => void)[]>();
  let generation = 0;
  let planned = false;
  let closed = false;
  /** Whether the last turn could not be written to disk. */
  let failing = false;
  const patience = createPatience({
    perReceiverMs: settings.advanceGraceMs,
    perAnswerMs: settings.advanceGracePerAnswerMs,
    inAllMs: settings.advanceGraceInAllMs,
  });
  /** When each running send began, real ms. */
  const sendingSince = new Map<string, number>();

  const isIdle = (): boolean => queue.waiting === 0 && queue.underWay === 0 && finished.length === 0;

  function plan(): void {
    if (planned || closed) return;
    planned = true;
    if (hasRequests()) clock.afterWall(1, () => turn(settings.perTurnBesideRequests));
    else setImmediate(turn, settings.perTurn);
  }

  const advances = holdAdvances({
    clock,
    queue,
    patience,
    onJump,
    plan,
    isAnswered: () => finished.length > 0,
    isStopped: () => closed || failing,
  });

  function settled(): Promise<void> {
    return isIdle() || closed ? Promise.resolve() : new Promise((resolve) => waitingForIdle.add(resolve));
  }

  function tellIdle(): void {
    advances.leaveIfOver();
    if (!isIdle() && !closed) return;
    for (const resolve of waitingForIdle) resolve();
    waitingForIdle.clear();
  }

  function tellTried(id: string): void {
    for (const resolve of waitingForTry.get(id) ?? []) resolve();
    waitingForTry.delete(id);
  }

  function turn(most: number): void {
    planned = false;
    if (closed) return;
    const ended = finished.splice(0, most);
    const taken = queue.take(most);
    let started: readonly Delivery[] = [];
    try {
      store.transact(() => {
        for (const one of ended) record(one);
        started = taken.flatMap(({ id }) => begin(id) ?? []);
      });
    } catch (error) {
      // Nothing was kept: the outcomes wait, the deliveries go back to their lanes, and the turn is tried again.
      finished.unshift(...ended);
      for (const { id, lane } of taken) {
        queue.done(lane);
        queue.add(id, lane);
      }
      failing = true;
      advances.leaveIfOver();
      onError(error);
      clock.afterWall(1000, plan);
      return;
    }
    failing = false;
    for (const { lane } of ended) {
      queue.done(lane);
      patience.answered(lane);
    }
    const sending = new Set(started.map(({ id }) => id));
    for (const { id, lane } of taken) if (!sending.has(id)) queue.done(lane);
    for (const delivery of started) void send(delivery);
    if (finished.length > 0 || (queue.waiting > 0 && taken.length + ended.length > 0)) plan();
    tellIdle();
  }

  /** Moves a delivery to `delivering`, or records why it is not sent now; then null. */
  function begin(id: string): Delivery | null {
    const delivery = store.deliveries.get(id);
    if (delivery?.state !== 'queued') return null;
    const webhook = webhookOf(delivery);
    if (webhook === undefined) lifecycle.fire(id, 'abandon', { by: 'work', why: 'Its webhook was deleted.' });
    else if (webhook !== null && webhook.disabledAt !== null)
      lifecycle.fire(id, 'pause', { by: 'work', why: 'Its webhook is disabled.' });
    else {
      const startedAt = delivery.seriesStartedAt ?? toIso(clock.now());
      const change = (one: Delivery): Delivery => ({
        ...one,
        seriesStartedAt: startedAt,
        nextAttemptAt: null,
        url: webhook?.url ?? one.url,
        reach: webhook?.reach ?? one.reach,
      });
      return lifecycle.fire(id, 'send', { by: 'work', change });
    }
    return null;
  }

  /** Null: it is sent to an address given by hand. Undefined: the webhook was deleted. */
  function webhookOf({ webhookId }: Delivery): Webhook | null | undefined {
    return webhookId === null ? null : store.webhooks.get(webhookId);
  }

  async function send(delivery: Delivery): Promise<void> {
    const { id, body, url, reach } = delivery;
    const lane = laneOf(delivery);
    const born = generation;
    const at = clock.now();
    sendingSince.set(id, clock.monotonic());
    const headers = toHeaders(delivery, keysAt(webhookOf(delivery) ?? null, at), shownNow(store, clock));
    const wallAt = toIso(clock.wall());
    const outcome = await sender.send({ url, body, headers, reach });
    // After a restart the delivery is queued again; after a close the next start sends it again.
    if (closed || born !== generation) return;
    sendingSince.delete(id);
    const { durationMs, response, error, reason } = outcome;
    finished.push({
      id,
      lane,
      sentAt: at,
      outcome,
      attempt: { at: toIso(at), wallAt, durationMs, request: { url, headers }, response, error, ...reason },
    });
    plan();
  }

  function record({ id, sentAt, attempt, outcome }: Finished): void {
    const delivery = store.deliveries.get(id);
    if (delivery?.state !== 'delivering') return;
    const webhook = webhookOf(delivery) ?? undefined;
    const { now: shown, wall } = clock.reading();
    // If the clock was moved meanwhile, the outcome still gets the time at which the answer came.
    const now = Math.min(shown, sentAt + Math.round(outcome.durationMs * virtualMsPerRealMs()));
    const verdict = judge(delivery, outcome, webhook, { now, shown, wall }, settings);
    const judged = attempt.error === null ? attempt : { ...attempt, error: verdict.why };
    lifecycle.fire(id, verdict.event, {
      by: 'work',
      at: now,
      why: verdict.why,
      change: (one) => ({ ...withAttempt(one, judged, settings), nextAttemptAt: verdict.nextAttemptAt }),
    });
    if (webhook && isSentTo(webhook, delivery))
      noteHealth(webhook, verdict.event === 'accepted', attempt.at, verdict.disable);
  }

  function virtualMsPerRealMs(): number {
    const { rate, frozenAt } = clock.state();
    return frozenAt === null ? rate : 1;
  }

  function noteHealth(webhook: Webhook, accepted: boolean, at: string, disable: string | null): void {
    const failingSince = accepted ? null : (webhook.failingSince ?? at);
    if (disable === null) {
      if (failingSince !== webhook.failingSince) store.webhooks.put({ ...webhook, failingSince });
      return;
    }
    store.webhooks.put({ ...webhook, failingSince, disabledAt: toIso(clock.now()), disabledReason: disable });
    notify(
      'warning',
      webhook.companyId,
      `The webhook ${webhook.id} to ${webhook.url} was disabled: ${disable}. Its waiting deliveries are paused; enable it again when the receiver works.`,
      [{ kind: 'webhooks', id: webhook.id }],
    );
  }

  return {
    onChange({ id, before, after }) {
      const was = before as Delivery | null;
      const is = after as Delivery | null;
      if (is?.state === 'queued' && was?.state !== 'queued') {
        queue.add(id, laneOf(is));
        plan();
      } else if (was?.state === 'queued' && is?.state !== 'delivering') queue.remove(id, laneOf(was));
      if (is?.state !== 'queued' && is?.state !== 'delivering') tellTried(id);
    },
    restart() {
      generation += 1;
      queue.clear();
      finished.length = 0;
      sendingSince.clear();
      sender.abort();
      for (const id of waitingForTry.keys()) tellTried(id);
      const interrupted = store.deliveries.records().filter(({ state }) => state === 'delivering');
      store.transact(() => {
        for (const { id } of interrupted) lifecycle.fire(id, 'interrupted', { by: 'work' });
      });
      for (const delivery of store.deliveries.all())
        if (delivery.state === 'queued') queue.add(delivery.id, laneOf(delivery));
      if (queue.waiting > 0) plan();
      tellIdle();
    },
    async whenTried(id, limitMs) {
      const state = store.deliveries.get(id)?.state;
      if (!closed && (state === 'queued' || state === 'delivering')) {
        await new Promise<void>((resolve) => {
          const stopWaiting = clock.afterWall(limitMs, resolve);
          const tried = (): void => {
            stopWaiting();
            resolve();
          };
          waitingForTry.set(id, [...(waitingForTry.get(id) ?? []), tried]);
        });
      }
      return store.deliveries.get(id) ?? null;
    },
    settled,
    async close() {
      for (const one of store.deliveries.all()) if (one.state === 'queued') queue.remove(one.id, laneOf(one));
      // A receiver that was silent for so long will hardly answer now; one that does answer gets no second send.
      const graceMs = settings.closeGraceMs - (clock.monotonic() - Math.max(0, ...sendingSince.values()));
      if (queue.underWay > 0 && graceMs > 0) {
        let stopWaiting = (): void => {};
        const grace = new Promise<void>((resolve) => (stopWaiting = clock.afterWall(graceMs, resolve)));
        await Promise.race([settled(), grace]);
        stopWaiting();
      }
      closed = true;
      advances.leaveIfOver();
      sender.close();
      tellIdle();
      for (const id of waitingForTry.keys()) tellTried(id);
    },
  };
}

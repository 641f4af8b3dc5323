/** The delivery gym: events duplicated, reordered, delayed, concurrent and cut, from a repeatable seed. */
import type { Clock } from '../time/clock.ts';
import { createRandom } from '../random.ts';
import type { Delivery, Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import { newEventId, type Deliveries } from './deliveries.ts';
import { eventTypes, isEventType } from '../contract/event-schemas.ts';
import { keysAt, shownNow, toHeaders } from './headers.ts';
import { examplePayload, toBody } from './payloads.ts';
import { inBody, refuse } from '../rules.ts';
import { deliveryRules } from './rules.ts';
import { toSigner, webhookOf } from './webhook-of.ts';
import { gymActs, type GymAct, type GymInput, type GymResult } from './shapes.ts';

/** One send of the plan. */
type GymStep = Pick<GymResult['steps'][number], 'event' | 'delayMs' | 'cutAt' | 'batch'>;

type PlannedSend = Pick<GymStep, 'event' | 'cutAt'>;

export type Gym = (input: GymInput) => Promise<GymResult>;

/**
 * The plan of a seed, which does each act at least once. Every event is sent whole at least once: a cut event is sent
 * again, as by a retry. Pure.
 */
function planGym(seed: number, count: number, acts: readonly GymAct[]): readonly GymStep[] {
  const random = createRandom(seed);
  const does = (act: GymAct): boolean => acts.includes(act);
  const drawn = (act: GymAct, chance: number): ReadonlySet<number> => {
    if (!does(act)) return new Set();
    const some = Array.from({ length: count }, (_, event) => event).filter(() => random() < chance);
    return new Set(some.length > 0 ? some : [Math.floor(random() * count)]);
  };
  const cut = drawn('cut', 0.5);
  const duplicated = drawn('duplicate', 0.6);
  const events: PlannedSend[] = [];
  for (let event = 0; event < count; event += 1) {
    if (cut.has(event)) events.push({ event, cutAt: Math.round(random() * 90 + 5) / 100 });
    const copies = duplicated.has(event) ? 2 + Math.floor(random() * 2) : 1;
    for (let copy = 0; copy < copies; copy += 1) events.push({ event, cutAt: null });
  }
  const ordered = does('reorder') ? reordered(events, random) : events;
  let batch = 0;
  let room = 0;
  return ordered.map((one) => {
    if (room === 0) {
      batch += 1;
      room = does('concurrent') ? 2 + Math.floor(random() * 7) : 1;
    }
    room -= 1;
    return { ...one, batch, delayMs: does('delay') ? 1 + Math.floor(random() * 120) : 0 };
  });
}

/** How many events an act needs beside the other acts. One event that is sent again is enough for two sends at once. */
function neededFor(act: GymAct, acts: readonly GymAct[]): number {
  if (act === 'reorder') return 2;
  return act === 'concurrent' && !acts.includes('duplicate') && !acts.includes('cut') ? 2 : 1;
}

/** The events in another order. A shuffle may leave the whole sends as they were; then they are reversed. */
function reordered(events: readonly PlannedSend[], random: () => number): readonly PlannedSend[] {
  const mixed = shuffled(events, random);
  const whole = mixed.filter(({ cutAt }) => cutAt === null);
  const isAsBefore = whole.every(({ event }, at) => event >= (whole[at - 1]?.event ?? 0));
  return isAsBefore ? mixed.toReversed() : mixed;
}

function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

/** Creates the gym. Its sends are in its result and not in the log, because they are not deliveries of the platform. */
export function createGym({ store, clock, deliveries }: { store: Store; clock: Clock; deliveries: Deliveries }): Gym {
  return async ({ to, seed = 1, acts: wanted, count = 10, types, reach }) => {
    const webhook = webhookOf(store, { to, ...(reach === undefined ? {} : { reach }) });
    const acts = wanted ?? gymActs.filter((act) => neededFor(act, gymActs) <= count);
    const impossible = acts.find((act) => neededFor(act, acts) > count);
    if (impossible !== undefined)
      return refuse(deliveryRules.gymEvents, inBody('/count'), count, {
        act: impossible,
        count,
        needed: neededFor(impossible, acts),
      });
    const drawn = types ?? webhook?.events.filter(isEventType) ?? eventTypes;
    const began = shownNow(store, clock);
    const events = Array.from({ length: count }, (_, at) => {
      const type = drawn[at % drawn.length] ?? 'sms.subscribed';
      const timestamp = began + at;
      return { eventId: newEventId(), type, timestamp, body: toBody(examplePayload(type, timestamp)) };
    });

    const play = async (step: GymStep): Promise<GymResult['steps'][number]> => {
      const { eventId, body } = events[step.event] as (typeof events)[number];
      if (step.delayMs > 0) await clock.sleepWall(step.delayMs);
      const headers = headersOf({ eventId, body, hops: 1 }, webhook);
      const { cutAt } = step;
      const { response, error, durationMs } = await deliveries.sender.send({
        url: webhook?.url ?? to,
        reach: webhook?.reach ?? reach ?? 'loopback',
        body,
        headers,
        ...(cutAt === null ? {} : { cutAt }),
      });
      return { ...step, eventId, status: response?.status ?? null, error, durationMs };
    };
    const headersOf = (draft: Pick<Delivery, 'body' | 'eventId' | 'hops'>, of: Webhook | null) =>
      toHeaders(draft, keysAt(of, clock.now()), shownNow(store, clock));

    const plan = planGym(seed, count, acts);
    const steps: GymResult['steps'][number][] = [];
    for (let batch = 1; batch <= (plan.at(-1)?.batch ?? 0); batch += 1) {
      steps.push(...(await Promise.all(plan.filter((step) => step.batch === batch).map(play))));
    }
    const told = events.map(({ eventId, type, timestamp }) => {
      const own = steps.filter((step) => step.eventId === eventId);
      return { eventId, type, timestamp, sent: own.length, accepted: own.filter((step) => step.error === null).length };
    });
    return { seed, acts, signedBy: toSigner([webhook], clock.now()), events: told, steps };
  };
}

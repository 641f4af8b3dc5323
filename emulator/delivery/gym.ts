/** The delivery gym: events duplicated, reordered, delayed, concurrent and cut, from a repeatable seed. */
import type { Clock } from '../time/clock.ts';
import { createRandom } from '../random.ts';
import type { Delivery, Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import { newEventId, type Deliveries } from './deliveries.ts';
import { eventTypes, isEventType } from '../contract/event-schemas.ts';
import { keysAt, shownNow, toHeaders } from './headers.ts';
import { examplePayload, toBody } from './payloads.ts';
import { toSigner, webhookOf } from './webhook-of.ts';
import { gymActs, type GymAct, type GymInput, type GymResult } from './shapes.ts';

/** One send of the plan. */
type GymStep = Pick<GymResult['steps'][number], 'event' | 'delayMs' | 'cutAt' | 'batch'>;

export type Gym = (input: GymInput) => Promise<GymResult>;

/**
 * The plan of a seed. Every event is sent whole at least once: a cut event is sent again, as by a retry. Pure.
 */
function planGym(seed: number, count: number, acts: readonly GymAct[]): readonly GymStep[] {
  const random = createRandom(seed);
  const does = (act: GymAct): boolean => acts.includes(act);
  const events: { event: number; cutAt: number | null }[] = [];
  for (let event = 0; event < count; event += 1) {
    if (does('cut') && random() < 0.5) events.push({ event, cutAt: Math.round(random() * 90 + 5) / 100 });
    const copies = does('duplicate') && random() < 0.6 ? 2 + Math.floor(random() * 2) : 1;
    for (let copy = 0; copy < copies; copy += 1) events.push({ event, cutAt: null });
  }
  const ordered = does('reorder') ? shuffled(events, random) : events;
  let batch = 0;
  let room = 0;
  return ordered.map((one) => {
    if (room === 0) {
      batch += 1;
      room = does('concurrent') ? 2 + Math.floor(random() * 7) : 1;
    }
    room -= 1;
    return { ...one, batch, delayMs: does('delay') ? Math.floor(random() * 120) : 0 };
  });
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
  return async ({ to, seed = 1, acts = gymActs, count = 10, types, reach }) => {
    const webhook = webhookOf(store, { to, ...(reach === undefined ? {} : { reach }) });
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

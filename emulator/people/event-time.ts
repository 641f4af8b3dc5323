import { toIso } from '../time/clock.ts';
import { hasOffset, isUsual, sayNoSuchTime, toEpoch } from '../contract/formats.ts';
import { meantTime } from '../contract/meant.ts';
import { observed, orEmpty } from '../contract/schema.ts';
import { inBody, refuse, rule, setMeant, show } from '../rules.ts';
import { spans } from '../time/pace.ts';

/**
 * The time of an event. Null and '' are read as left out, because public clients send them. A number is accepted here
 * so that the rule can refuse it, with a fix that writes the same time.
 */
export const occurredAtSchema = orEmpty(
  observed({
    type: ['string', 'number', 'null'],
    description: 'Null and "" count as left out, which means the time of the call.',
    examples: ['2026-03-30T14:38:29Z'],
  }),
  { type: ['string', 'null'], format: 'timestamp' },
);

/** The rules for the time of an event. */
export const eventTimeRules = {
  form: rule<{ sent: string | number; meant: string | null; now: string }>({
    id: 'event.occurred-at',
    status: 400,
    section: '2.5',
    provenance: 'documented',
    says: 'occurredAt is an ISO 8601 timestamp.',
    message({ sent, meant, now }) {
      const noSuch = sayNoSuchTime(String(sent));
      const wrong = noSuch
        ? `is not an ISO 8601 time: ${noSuch}.`
        : `is not in a form of ISO 8601 that is read: a date, a T and a time, such as ${meant ?? now}.`;
      return `occurredAt ${show(sent)} ${wrong} Leave it out to use the time of the call.`;
    },
    fix: ({ meant, now }, place) =>
      setMeant(place, meant, `Send the time in a form such as ${now}, or leave occurredAt out.`),
  }),
} as const;

/** When an event happened, in UTC, and whether it is recent enough to start journeys. */
export interface EventTime {
  readonly occurredAt: string;
  readonly startsJourneys: boolean;
}

/**
 * Reads `occurredAt` (section 2.5): by default the time of the call; an event older than 12 hours starts no journeys.
 * @param now epoch milliseconds
 */
export function readEventTime(
  sent: string | number | null | undefined,
  now: number,
  note: (remark: string) => void,
): EventTime {
  if (sent === null || sent === undefined || sent === '') {
    if (sent !== undefined) note(`occurredAt was sent as ${show(sent)}; it was read as left out, which means now.`);
    return { occurredAt: toIso(now), startsJourneys: true };
  }
  const at = typeof sent === 'string' ? toEpoch(sent) : null;
  if (typeof sent === 'number' || at === null) {
    return refuse(eventTimeRules.form, inBody('/occurredAt'), sent, { sent, meant: meantTime(sent), now: toIso(now) });
  }
  const startsJourneys = now - at <= spans.journeys;
  if (isUsual(sent)) return { occurredAt: sent, startsJourneys };
  const occurredAt = toIso(at);
  if (!hasOffset(sent)) note(`occurredAt ${show(sent)} has no offset from UTC; it was read as ${occurredAt}.`);
  return { occurredAt, startsJourneys };
}

/** Notes that an event which was stored starts no journeys. */
export function tellAge({ startsJourneys }: EventTime, note: (remark: string) => void): void {
  if (!startsJourneys) note('The event is older than 12 hours: it was stored, but starts no journeys (section 2.5).');
}

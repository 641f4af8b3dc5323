import { toIso } from '../time/clock.ts';
import { isUsual, toEpoch } from '../contract/formats.ts';
import { observed } from '../contract/schema.ts';
import { inBody, refuse, rule, set, show, type AnyRule } from '../rules.ts';
import { spans } from '../time/pace.ts';

/** The time of an event; null and '' are read as left out, because public clients send them. */
export const occurredAtSchema = observed({ type: ['string', 'null'], examples: ['2026-03-30T14:38:29Z'] });

/** The rules for the time of an event. */
const eventTimeRules = {
  form: rule<{ sent: string; now: string }>({
    id: 'event.occurred-at',
    status: 400,
    section: '2.5',
    provenance: 'documented',
    says: 'occurredAt is an ISO 8601 timestamp.',
    message: ({ sent, now }) =>
      `occurredAt ${show(sent)} is not an ISO 8601 timestamp such as ${now}. Leave it out to use the time of the call.`,
    fix: ({ now }, place) => ({ say: `Send ${now}, or leave occurredAt out.`, edits: [set(place, now)] }),
  }),
} as const;

/** These rules as a list. */
export const allEventTimeRules: readonly AnyRule[] = Object.values(eventTimeRules);

/** When an event happened, in UTC, and whether it is recent enough to start journeys. */
export interface EventTime {
  readonly occurredAt: string;
  readonly startsJourneys: boolean;
}

/**
 * Reads `occurredAt` (section 2.5): by default the time of the call; an event older than 12 hours starts no journeys.
 * @param now epoch milliseconds
 */
export function readEventTime(sent: string | null | undefined, now: number, note: (remark: string) => void): EventTime {
  if (sent === null || sent === undefined || sent === '') {
    if (sent !== undefined) note(`occurredAt was sent as ${show(sent)}; it was read as left out, which means now.`);
    return { occurredAt: toIso(now), startsJourneys: true };
  }
  const at = toEpoch(sent) ?? refuse(eventTimeRules.form, inBody('/occurredAt'), sent, { sent, now: toIso(now) });
  return { occurredAt: isUsual(sent) ? sent : toIso(at), startsJourneys: now - at <= spans.journeys };
}

/** Notes that an event which was stored starts no journeys. */
export function tellAge({ startsJourneys }: EventTime, note: (remark: string) => void): void {
  if (!startsJourneys) note('The event is older than 12 hours: it was stored, but starts no journeys (section 2.5).');
}

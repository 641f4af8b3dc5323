import { events, eventTypes, isEventType } from '../../contract/event-schemas.ts';
import { meantWord } from '../../contract/meant.ts';
import { nearestOf } from '../../contract/unknown-fields.ts';
import { inBody, refuse } from '../../rules.ts';
import { webhookRules } from './rules.ts';

/** How many unknown event types a message names. */
const mostTold = 5;
/** With more unknown event types than this, there is no fix. */
const mostMeant = 100;

/** The event types without repetitions; an unknown one is refused, an undocumented one noted. */
export function toEvents(sent: readonly string[], note: (remark: string) => void): readonly string[] {
  const once = [...new Set(sent)];
  const unknown = once.filter((type) => !isEventType(type));
  const [first] = unknown;
  if (first !== undefined)
    refuse(webhookRules.eventType, inBody(`/events/${sent.indexOf(first)}`), first, {
      unknown: unknown.slice(0, mostTold).map((sent) => ({ sent, nearest: nearestOf(toPresent(sent), eventTypes) })),
      meant: unknown.length > mostMeant ? null : toMeant(once),
    });
  for (const type of once.filter(isEventType)) {
    if (events[type].provenance === 'observed') {
      note(`${type} is not in the specification; public clients register it, so it is accepted (observed).`);
    }
  }
  if (once.length < sent.length) note('events has a type more than once; it was kept once.');
  return once;
}

/**
 * `phone.subscribed` is the older name of `sms.subscribed` (docs/platform.md, Webhooks), not a misspelt
 * `email.subscribed`.
 */
const toPresent = (type: string): string => type.replace(/^phone\./i, 'sms.');

/** All types with the misspelt ones corrected; null if the meaning of any of them is not clear. */
function toMeant(sent: readonly string[]): readonly string[] | null {
  const meant = sent.flatMap((type) => (isEventType(type) ? type : (meantWord(toPresent(type), eventTypes) ?? [])));
  return meant.length < sent.length ? null : [...new Set(meant)];
}

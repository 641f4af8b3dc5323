import { sayNoSuchTime, toEpoch } from '../contract/formats.ts';
import { refuse, type Place } from '../rules.ts';
import { timeRules } from '../time/rules.ts';

/** A moment that a person wrote, in epoch milliseconds. */
export function toMoment(text: string, place: Place): number {
  return toEpoch(text) ?? refuse(timeRules.iso, place, text, { text, noSuch: sayNoSuchTime(text) });
}

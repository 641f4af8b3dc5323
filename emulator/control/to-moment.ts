import { sayNoSuchTime, toEpoch } from '../contract/formats.ts';
import { refuse, type Place } from '../rules.ts';
import { timeRules } from '../time/rules.ts';

/** Parses a moment that a person wrote. Returns epoch milliseconds. */
export function toMoment(text: string, place: Place): number {
  return toEpoch(text) ?? refuse(timeRules.iso, place, text, { text, noSuch: sayNoSuchTime(text) });
}

/** The rules about times and durations that a person writes. */
import { ownRule, set, show } from '../rules.ts';

/** The time at which a day begins; null if the text is not a day. */
function toMidnight(text: string): string | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? ifReal(`${text}T00:00:00Z`) : null;
}

/** Converts a time as commands print it, `2026-01-31 12:00:00 UTC`, to the form that is read; null for other texts. */
function toRead(text: string): string | null {
  const [, day, time, seconds = ':00'] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?(?: ?UTC|Z)?$/.exec(text) ?? [];
  return day === undefined ? null : ifReal(`${day}T${time}${seconds}Z`);
}

/** Returns a time, or null if the calendar lacks it: `Date.parse` may read 30 February as a day in March. */
function ifReal(time: string): string | null {
  const ms = Date.parse(time);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(time.slice(0, -1)) ? time : null;
}

/**
 * Whether a duration has a capital M that may mean minutes or months. After the T of ISO 8601, it certainly means
 * minutes.
 */
export const hasMonths = (text: string): boolean =>
  /^\s*P?(?:[\d.]+\s*[A-Za-z]+\s*)*?[\d.]+\s*M(?![Ss])/.test(text) && !/^\s*P.*T/.test(text);

/** Advice on how to write a duration that may be in months; null for other texts. */
export function sayMonths(text: string): string | null {
  return hasMonths(text) ? 'M may be minutes or months. Write m for minutes, and months in days, such as 30d.' : null;
}

/** The highest rate of the clock. */
export const fastest = 1_000_000;

export const timeRules = {
  duration: ownRule<{ readonly text: string; readonly isTooLong: boolean }>({
    id: 'time.duration',
    status: 400,
    says: 'A duration is written like 30d, 12h, 5m, 90s, 250ms, 1d12h or PT5M.',
    message: ({ text, isTooLong }) =>
      isTooLong
        ? `${show(text)} is too long: no date is so far away. Write a shorter duration.`
        : `${show(text)} is not a duration; ${sayMonths(text) ?? 'write it like 30d, 12h, 5m, 90s, 250ms, 1d12h or PT5M.'}`,
    fix: ({ text }, place) => {
      const example = hasMonths(text) ? '30d' : '1h';
      return { say: `Send a duration such as "${example}".`, edits: [set(place, example)] };
    },
    facts: ({ text }) => ({ text: text.slice(0, 100) }),
  }),
  iso: ownRule<{ readonly text: string; readonly noSuch: string | null }>({
    id: 'time.iso',
    status: 400,
    says: 'A moment is an ISO 8601 time with its offset from UTC.',
    message({ text, noSuch }) {
      if (noSuch) return `${show(text)} is not an ISO 8601 time: ${noSuch}.`;
      const midnight = toMidnight(text);
      if (midnight !== null) return `${show(text)} has no time of day. Write it like ${midnight}.`;
      const read = toRead(text);
      return `${show(text)} is not an ISO 8601 time${read === null ? ' such as 2026-01-31T12:00:00Z' : `. Write it like ${read}`}.`;
    },
    fix: ({ text }, place) => {
      const time = toMidnight(text) ?? toRead(text) ?? '2026-01-31T12:00:00Z';
      return { say: `Send a time such as "${time}".`, edits: [set(place, time)] };
    },
    facts: ({ text }) => ({ text: text.slice(0, 100), meant: toMidnight(text) ?? toRead(text) }),
  }),
  rate: ownRule<{ readonly rate: number }>({
    id: 'time.rate',
    status: 400,
    says: `Time runs at a rate above 0, up to ${fastest}.`,
    message: ({ rate }) => `Time cannot run at rate ${rate}; give a number above 0, up to ${fastest}.`,
    fix: (_facts, place) => ({ say: 'Send the rate 1 for real speed.', edits: [set(place, 1)] }),
    facts: ({ rate }) => ({ rate, most: fastest }),
  }),
  range: ownRule<{ readonly ms: number; readonly last: string }>({
    id: 'time.range',
    status: 400,
    says: 'Time goes only to moments that a date can show.',
    message: ({ last }) => `Time cannot go so far: the last moment that a date can show is ${last}.`,
    fix: 'Choose a moment nearer to the present.',
    facts: ({ ms, last }) => ({ ms, last }),
  }),
  future: ownRule<{ readonly at: string; readonly now: string }>({
    id: 'time.future',
    status: 400,
    says: 'Only earlier moments can be looked at, not future ones.',
    message: ({ at, now }) => `${at} is in the future: it is ${now}. Advance the clock to it instead.`,
    fix: ({ now }, place) => ({ say: `Send ${now} or an earlier moment.`, edits: [set(place, now)] }),
  }),
  forgotten: ownRule<{ readonly at: string; readonly earliest: string }>({
    id: 'time.forgotten',
    status: 400,
    says: 'Only moments whose records are still known can be looked at.',
    message: ({ at, earliest }) => `The state at ${at} is no longer known; the earliest known moment is ${earliest}.`,
    fix: ({ earliest }, place) => ({ say: `Send ${earliest} or a later moment.`, edits: [set(place, earliest)] }),
  }),
} as const;

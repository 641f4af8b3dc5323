/** Time passed, for columns: `now`, `12 s`, `4 m`, `3 h`, `2 d`. */
export function toAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Like `toAge`, for the time left. Rounds up: thirty days stay `30 d` until a full day has passed. */
export function toLeft(ms: number): string {
  const unit = [86_400_000, 3_600_000, 60_000].find((one) => ms >= one) ?? 1_000;
  return toAge(Math.ceil(ms / unit) * unit);
}

/**
 * The time of an event relative to now: `12 s ago`, `now`, `in 30 d`.
 * @param ahead milliseconds until the event; negative if it has passed
 * @param grain an event ahead by at most this many milliseconds is `now`; see `useNow().grain`
 */
export function toWhen(ahead: number, grain: number): string {
  if (ahead > grain) return `in ${toLeft(ahead)}`;
  const age = toAge(Math.max(0, -ahead));
  return age === 'now' ? 'now' : `${age} ago`;
}

/** Whole milliseconds; `<1` for less than one. */
export function toMs(ms: number): string {
  if (ms < 1) return '<1';
  return Math.round(ms).toLocaleString('en-US');
}

/** `812 B`, `3.2 kB`, `1.4 MB`. */
export function toBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  // Show 1.0 MB instead of 1000.0 kB.
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `14:02:16`; with its offset if the day has this time twice: `02:30:00 +1`. */
export function toTime(ms: number, zone: 'UTC' | 'local'): string {
  return inZone(ms, zone, { ...minute, second: '2-digit' }) + toRepeatedOffset(ms, zone);
}

/** `30 Nov 2026, 14:02`, or `25 Oct 2026, 02:30 +1`. */
export function toDate(ms: number, zone: 'UTC' | 'local'): string {
  return inZone(ms, zone, { ...day, year: 'numeric', ...minute }) + toRepeatedOffset(ms, zone);
}

/** `30 Nov`, or `30 Nov 2026`. */
export function toDay(ms: number, zone: 'UTC' | 'local', withYear: boolean): string {
  return inZone(ms, zone, { ...day, ...(withYear ? { year: 'numeric' } : {}) });
}

/** A sentence from the server, with its ISO times in readable form. */
export function toReadable(says: string, zone: 'UTC' | 'local'): string {
  return says.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (iso) => toDate(Date.parse(iso), zone));
}

/** A time as `14:02:16` on the day of `now`, else `30 Nov 14:02`, and in another year `30 Nov 2026 14:02`. */
export function toDayTime(ms: number, now: number, zone: 'UTC' | 'local'): string {
  if (isSameDay(ms, now, zone)) return toTime(ms, zone);
  return `${toDay(ms, zone, !isSameYear(ms, now, zone))} ${inZone(ms, zone, minute)}${toRepeatedOffset(ms, zone)}`;
}

/** Up to this long ago or ahead, a day and a month name the year too: it is the nearest one that has them. */
const withoutYearMs = 180 * 86_400_000;

/**
 * Like `toDayTime`, for list columns, which have room for 12 characters: no offset for another day, and the year only
 * where it is not the nearest, then without a time: `30 Nov 2026`.
 */
export function toRowTime(ms: number, now: number, zone: 'UTC' | 'local'): string {
  if (isSameDay(ms, now, zone)) return toTime(ms, zone);
  const needsYear = !isSameYear(ms, now, zone) && Math.abs(now - ms) > withoutYearMs;
  return needsYear ? toDay(ms, zone, true) : `${toDay(ms, zone, false)} ${inZone(ms, zone, minute)}`;
}

function isSameDay(one: number, other: number, zone: 'UTC' | 'local'): boolean {
  return toDay(one, zone, true) === toDay(other, zone, true);
}

function isSameYear(one: number, other: number, zone: 'UTC' | 'local'): boolean {
  const year = { year: 'numeric' } as const;
  return inZone(one, zone, year) === inZone(other, zone, year);
}

const minute = { hour: '2-digit', minute: '2-digit' } as const;
const day = { day: 'numeric', month: 'short' } as const;

/** Cached, because creating one takes longer than a frame has for a list of rows. */
const formats = new Map<string, Intl.DateTimeFormat>();

function inZone(ms: number, zone: 'UTC' | 'local', form: Intl.DateTimeFormatOptions): string {
  const key = zone + JSON.stringify(form);
  const known = formats.get(key);
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', { ...form, hourCycle: 'h23', ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}) });
  if (!known) formats.set(key, format);
  // Only September would have four letters, for which columns have no room.
  return format.format(ms).replace('Sept', 'Sep');
}

/** Minutes that clocks of the local zone are ahead of UTC at a moment. */
const offsetAt = (ms: number): number => -new Date(ms).getTimezoneOffset();

/** The offset from UTC, ` +1` or ` −3:30`, for a time of day that occurs twice, because the clocks are set back. */
export function toRepeatedOffset(ms: number, zone: 'UTC' | 'local'): string {
  const offset = offsetAt(ms);
  const setBack = zone === 'UTC' ? 0 : offsetAt(ms - 43_200_000) - offsetAt(ms + 43_200_000);
  const isShownAt = (other: number): boolean => other + offsetAt(other) * 60_000 === ms + offset * 60_000;
  if (setBack <= 0 || ![-setBack, setBack].some((minutes) => isShownAt(ms + minutes * 60_000))) return '';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return ` ${offset < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${minutes}`}`;
}

export function toCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 request`, `2 requests`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${toCount(count)} ${count === 1 ? noun : nouns}`;
}

/** The name of the snapshot of a moment: `at-2026-11-30-14-02-16`. @param iso ISO 8601 */
export function toSnapshotName(iso: string): string {
  return `at-${iso.slice(0, 19).replaceAll(/[:T]/g, '-')}`;
}

const toCharacters = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Cuts the middle out of a text with more than `length` visible characters (grapheme clusters), keeping both ends. */
export function cutInMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const all = toCharacters(text);
  const head = Math.ceil((length - 1) / 2);
  return all.length <= length
    ? text
    : `${all.slice(0, head).join('')}…${all.slice(all.length + head + 1 - length).join('')}`;
}

/** A tooltip for a moment: its virtual time, as the window shows it, and its real time. Both are ISO 8601. */
export function toClockTitle(at: string, wallAt: string): string {
  return `${at} on the virtual clock\n${wallAt} real time`;
}

/** The last `count` visible characters: an emoji of several code points stays whole. */
export function toEnd(text: string, count: number): string {
  return toCharacters(text).slice(-count).join('');
}

/** The last four characters of a phone number, which identify it best and are cut last; '' for any other text. */
export const toPhoneEnd = (text: string): string => (/^\+?[\d ]+$/.test(text) ? text.slice(-4) : '');

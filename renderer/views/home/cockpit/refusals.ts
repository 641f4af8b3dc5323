import type { RequestSummary } from '../../../../emulator/control/calls.ts';

/** The refusals by one rule in the last hours, on the virtual clock. */
export interface RuleRefusals {
  readonly rule: string;
  readonly count: number;
  /** The count of each hour, oldest first. */
  readonly hours: readonly number[];
  readonly newest: RequestSummary;
}

const hourMs = 3_600_000;

interface Span {
  readonly now: number;
  readonly hours: number;
}

/** How many whole hours ago a request was; null if it is outside of the last hours, or ahead of the clock. */
export function toHoursAgo({ at }: Pick<RequestSummary, 'at'>, { now, hours }: Span): number | null {
  const ago = Math.floor((now - Date.parse(at)) / hourMs);
  return ago < 0 || ago >= hours ? null : ago;
}

/** The rules that refused in the last hours, the most frequent first. */
export function toRefusals(rows: readonly RequestSummary[], span: Span): readonly RuleRefusals[] {
  const { hours } = span;
  const byRule = new Map<string, { count: number; hours: number[]; newest: RequestSummary }>();
  for (const row of rows) {
    if (row.rule === null) continue;
    const ago = toHoursAgo(row, span);
    if (ago === null) continue;
    const known = byRule.get(row.rule);
    const one = known ?? { count: 0, hours: Array.from({ length: hours }, () => 0), newest: row };
    if (!known) byRule.set(row.rule, one);
    const hour = hours - 1 - ago;
    one.count += 1;
    one.hours[hour] = (one.hours[hour] ?? 0) + 1;
    one.newest = row;
  }
  return [...byRule].map(([rule, one]) => ({ rule, ...one })).sort((one, other) => other.count - one.count);
}

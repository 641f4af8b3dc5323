import type { RequestSummary } from '../../../emulator/control/calls.ts';

/** The requests about an upload, newest first: those whose address names it, and those known to belong to it. */
export function toRequestsOf(
  rows: readonly RequestSummary[],
  known: readonly RequestSummary[],
  id: string,
): readonly RequestSummary[] {
  const name = encodeURIComponent(id);
  const named = rows.filter(({ url }) => url.includes(`/uploads/${name}`) || url.includes(`/${name}.ndjson`));
  const all = new Map([...known, ...named].map((request) => [request.id, request]));
  return [...all.values()].toSorted((one, other) => other.sequence - one.sequence);
}

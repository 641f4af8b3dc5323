import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { counted } from '../../format.ts';

const shortestMs = 1_000;

/** A warning if a client read this upload again and again within a second; null if not. */
export function toPolling(requests: readonly RequestSummary[], id: string): string | null {
  const reads = requests
    .filter(
      ({ method, source, url }) => method === 'GET' && source === 'client' && url.includes(encodeURIComponent(id)),
    )
    .map(({ wallAt }) => Date.parse(wallAt))
    .toSorted((one, other) => one - other);
  const quick = reads.filter((at, i) => i > 0 && at - (reads[i - 1] ?? 0) < shortestMs).length;
  return quick < 3
    ? null
    : `A client read this upload ${counted(quick, 'time')} less than a second after the previous read. A check takes seconds to minutes: wait longer between two reads.`;
}

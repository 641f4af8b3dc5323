import { computed, shallowRef, type ComputedRef, type Ref } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { counted } from '../../format.ts';
import { bodyProblem, toDraft } from '../../http-text/apply-fix.ts';
import { toProblem } from '../../live/reported.ts';
import { reveal, sendDraft } from '../../live/backend/send.ts';
import { useRequests } from '../../live/requests.ts';
import { useToasts } from '../../kit/toasts.ts';

export interface Marked {
  /** The rows selected together, oldest first, without rows that are hidden, for instance by a filter. */
  readonly rows: ComputedRef<readonly RequestSummary[]>;
  readonly ids: ComputedRef<ReadonlySet<string>>;
  set(ids: Iterable<string>): void;
  clear(): void;
  /** Sends all of them again, in the order in which they came. */
  replay(): Promise<void>;
  /** Pins all of them, or unpins them if all are pinned. */
  pin(): void;
}

/**
 * Several requests selected at once.
 * @param shown the rows that the list shows
 */
export function useMarked(shown: Ref<readonly RequestSummary[]>): Marked {
  const requests = useRequests();
  const toasts = useToasts();
  const chosen = shallowRef<ReadonlySet<string>>(new Set());
  const rows = computed(() =>
    chosen.value.size === 0
      ? []
      : shown.value.filter(({ id }) => chosen.value.has(id)).sort((one, other) => one.sequence - other.sequence),
  );

  let busy = false;
  async function replay(): Promise<void> {
    if (busy) return;
    busy = true;
    const report = toasts.begin();
    let [sent, left] = [0, 0];
    try {
      for (const { id } of rows.value) {
        const view = await reveal(id);
        if (bodyProblem(view) !== null) {
          left += 1;
          continue;
        }
        await sendDraft(toDraft(view), id);
        sent += 1;
      }
    } catch (error) {
      report.refuse(`${counted(sent, 'request')} replayed, then it stopped. ${toProblem(error)}`);
      return;
    } finally {
      busy = false;
    }
    report.say(
      `${counted(sent, 'request')} replayed${left > 0 ? `; ${left} not, as their bodies were not kept completely` : ''}`,
    );
  }

  function pin(): void {
    const loose = rows.value.filter(({ id }) => !requests.pinned.has(id));
    for (const row of loose.length > 0 ? loose : rows.value) requests.togglePin(row);
  }

  return {
    rows,
    ids: computed(() => new Set(rows.value.map(({ id }) => id))),
    set: (next) => (chosen.value = new Set(next)),
    clear: () => (chosen.value = new Set()),
    replay,
    pin,
  };
}

import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { toDate, toSnapshotName } from '../format.ts';
import { useToasts, type Report } from '../kit/toasts.ts';
import { toProblem, useServerUndo } from './reported.ts';
import { ControlError, call } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
import { useConnection } from './connection.ts';
import { useNow } from './now.ts';
import { useZone } from './zone.ts';

/** Why looking back begins at a first moment (docs/decisions/0019-looking-back.md). */
export const whyNotEarlier =
  'Sandpiper keeps what changed since a reset or a restored snapshot: the newest 64 MB in its data folder, or 30,000 changes in memory.';

/** The earlier moment that the window looks at. Every view shows it, read-only, until the person leaves it. */
export const useLookBack = defineStore('look-back', () => {
  const connection = useConnection();
  const toasts = useToasts();
  const now = useNow();
  const zone = useZone();
  /** Why the server refused the last action. */
  const problem = shallowRef<string | null>(null);
  const busy = shallowRef(false);
  /** The first moment to look at, in epoch ms; null until it was read. */
  const earliest = shallowRef<number | null>(null);

  function look(ms: number): void {
    if (earliest.value !== null && ms < earliest.value) {
      const from = toDate(earliest.value, zone.zone);
      return toasts.refuse(`Looking back begins at ${from}. ${whyNotEarlier}`);
    }
    problem.value = null;
    lookingAt.value = new Date(Math.min(ms, now.virtual)).toISOString();
  }

  function returnToNow(): void {
    problem.value = null;
    lookingAt.value = null;
  }

  /** Leaves a moment that the server no longer shows, because the clock is before it or everything was replaced. */
  async function leaveUnknown(): Promise<void> {
    const at = lookingAt.value;
    if (at === null) return;
    try {
      await call('GET /control/timeline/moment', { query: { at } });
    } catch (error) {
      if (!(error instanceof ControlError) || lookingAt.value !== at) return;
      returnToNow();
      toasts.refuse(
        'You look at the present again: the clock was set back to before that moment, or everything was replaced.',
      );
    }
  }
  watch(
    () => lookingAt.value !== null && Date.parse(lookingAt.value) > now.virtual + now.grain,
    (isAhead) => isAhead && void leaveUnknown(),
  );
  connection.watch(({ type }) => type === 'reset' && void leaveUnknown());

  async function act(does: (at: string, report: Report) => Promise<void>): Promise<void> {
    const at = lookingAt.value;
    if (at === null || busy.value) return;
    busy.value = true;
    try {
      await does(at, toasts.begin());
      problem.value = null;
    } catch (error) {
      problem.value = toProblem(error);
    } finally {
      busy.value = false;
    }
  }

  /** Makes the moment the present, which an undo can revert. */
  const goBack = (): Promise<void> =>
    act(async (at, report) => {
      const server = useServerUndo(connection.readClockAgain);
      const { hasOtherProducts } = await server.call('POST /control/timeline/back', { body: { at } });
      returnToNow();
      await connection.readClockAgain();
      const products = hasOtherProducts ? '; the products of the catalog are as they were' : '';
      report.say(`Went back to ${toDate(Date.parse(at), zone.zone)}${products}`, server.undo);
    });

  /** Saves the moment as a snapshot. */
  const fork = (): Promise<void> =>
    act(async (at, report) => {
      const name = toSnapshotName(at);
      await call('POST /control/timeline/fork', { body: { at, name } });
      report.say(`Saved as the snapshot ${name}`);
    });

  return {
    at: computed(() => lookingAt.value),
    problem,
    busy,
    earliest,
    look,
    returnToNow,
    goBack,
    fork,
  };
});

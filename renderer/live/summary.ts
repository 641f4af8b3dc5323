import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { SummaryView } from '../../emulator/control/calls.ts';
import { ControlError, call } from './backend/control.ts';
import { useCompany } from './company.ts';
import { useConnection } from './connection.ts';
import { createPaced } from './paced.ts';
import { createTurns } from './turns.ts';

export interface Progress {
  readonly done: number;
  readonly of: number;
}

/**
 * The counts of the current company by kind, and what waits for the person. Follows the stream, at most once a second.
 */
export const useSummary = defineStore('summary', () => {
  const connection = useConnection();
  const company = useCompany();
  const summary = shallowRef<SummaryView | null>(null);
  /** The progress of file checks by upload, as far as the stream reported it. */
  const progress = shallowRef<ReadonlyMap<string, Progress>>(new Map());

  const turns = createTurns();
  async function read(): Promise<void> {
    const id = company.current?.id;
    const isNewest = turns.take();
    if (id === undefined) return void (summary.value = null);
    try {
      const view = await call('GET /control/companies/{id}/summary', { params: { id } });
      if (company.current?.id !== id || !isNewest()) return;
      summary.value = view;
      if (view.uploadsUnderCheck === 0) progress.value = new Map();
    } catch (error) {
      // The banner reports a lost server; the list of companies shows a deleted company.
      if (error instanceof ControlError && error.status >= 500) throw error;
    }
  }
  const { now: readNow, soon: readSoon } = createPaced(read, 1_000);

  connection.watch((message) => {
    if (message.type === 'progress') {
      if (message.work !== 'check') return;
      const next = new Map(progress.value);
      if (message.done >= message.of) next.delete(message.id);
      else next.set(message.id, { done: message.done, of: message.of });
      progress.value = next;
    } else if (message.type !== 'requests' || (summary.value?.faults.length ?? 0) > 0) {
      // A request changes the summary only by using up a fault, and through its records, which have their own message.
      void readSoon();
    }
  });
  // Wait for the stream: until it is open, nothing reports changes, so the summary would have to be read again.
  watch(
    [() => company.current?.id, () => connection.phase],
    ([, phase]) => {
      if (phase === 'live') void readNow();
    },
    { immediate: true },
  );

  return { summary, progress };
});

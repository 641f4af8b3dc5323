import { toIso, type Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import type { Exchange } from '../http/record/exchange.ts';
import type { FirstStepsView } from './contract/status.ts';
import { isFromWindow } from './requests/send.ts';
import type { Store } from '../store/store.ts';

export interface StepWatch {
  read(): FirstStepsView;
  /** Starts the steps again, after a reset. */
  clear(): void;
  /** Returns a function that restores the present state of the steps. */
  keep(): () => void;
}

const none: FirstStepsView = { arrived: null, refused: null, mended: null, delivered: null, moved: null, opened: null };

/** Watches for the first steps of a new user. Steps stay done, even when the record is cleared. */
export function createStepWatch({ feed, store, clock }: { feed: Feed; store: Store; clock: Clock }): StepWatch {
  let seen = none;
  const refusedOperations = new Set<string>();

  const tick = (step: keyof FirstStepsView, at = clock.now()): void => {
    if (seen[step] === null) seen = { ...seen, [step]: toIso(at) };
  };

  function lookAt(exchange: Exchange): void {
    const { refusal, operation, status, at } = exchange;
    if (seen.arrived === null && !isFromWindow(exchange)) tick('arrived', at);
    if (refusal) {
      tick('refused', at);
      if (operation !== null) refusedOperations.add(operation);
    } else if (status !== null && status < 300 && operation !== null && refusedOperations.has(operation)) {
      tick('mended', at);
    }
  }

  feed.subscribe((event) => {
    if (event.type === 'request' && (seen.arrived === null || seen.mended === null)) lookAt(event.exchange);
    if (event.type !== 'changes') return;
    for (const { collection, id } of event.changes) {
      // A running jump stores the time that it has reached.
      if (collection === 'settings' && clock.jump() !== null) tick('moved');
      if (collection === 'deliveries' && store.deliveries.get(id)?.state === 'delivered') tick('delivered');
      if (collection !== 'messages') continue;
      const message = store.messages.get(id);
      if (message && message.opens.length + message.clicks.length > 0) tick('opened');
    }
  });

  return {
    read: () => seen,
    clear() {
      seen = none;
      refusedOperations.clear();
    },
    keep() {
      const kept = { seen, refused: [...refusedOperations] };
      return () => {
        seen = kept.seen;
        refusedOperations.clear();
        for (const operation of kept.refused) refusedOperations.add(operation);
      };
    },
  };
}

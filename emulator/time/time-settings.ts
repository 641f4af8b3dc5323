/** The clock and the pace as the developer set them: kept in the state, so that they outlive a restart. */
import { realTime, type Clock, type ClockState } from './clock.ts';
import { paces, type Pace } from './pace.ts';
import type { StateDocument, Store } from '../store/store.ts';

export interface TimeSettings {
  pace(): Pace;
  /** Sets the pace; it holds until another one is set, or until a start with another `--pace` than this one. */
  setPace(pace: Pace): void;
  /** Brings the clock and the pace to what the store says, after it was opened or replaced. */
  apply(): void;
}

const clockId = 'clock';
const paceId = 'pace';

/** Connects the clock with the store: from here on every jump, freeze and rate is written down before it takes place. */
export function createTimeSettings({
  store,
  clock,
  pace: pacedAtStart,
  onNotice,
}: {
  store: Store;
  clock: Clock;
  pace: Pace;
  onNotice: (text: string) => void;
}): TimeSettings {
  const known = (): { readonly pace: Pace; readonly startedWith: Pace } | null => {
    const value = store.settings.get(paceId)?.value as { readonly pace: Pace; readonly startedWith: Pace } | undefined;
    return value && paces.includes(value.pace) ? value : null;
  };
  clock.keepWith((state) => void store.transact(() => store.settings.put({ id: clockId, value: state })));
  return {
    pace() {
      const set = known();
      return set?.startedWith === pacedAtStart ? set.pace : pacedAtStart;
    },
    setPace(pace) {
      store.transact(() => store.settings.put({ id: paceId, value: { pace, startedWith: pacedAtStart } }));
    },
    apply() {
      try {
        clock.restore((store.settings.get(clockId)?.value as ClockState | undefined) ?? realTime);
      } catch (error) {
        onNotice(`The clock that was kept cannot be read, so time is real: ${(error as Error).message}`);
        clock.restore(realTime);
      }
    },
  };
}

/** The settings that are the developer's and not the world's: a reset leaves the pace as it is. Time is real again. */
export function keptAtReset(document: StateDocument): StateDocument['collections'] {
  return { settings: (document.collections.settings ?? []).filter(({ id }) => id === paceId) };
}

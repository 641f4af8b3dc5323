/** The clock and the pace as the developer set them. They are stored in the state, so they survive a restart. */
import { reasonOf } from '../errors.ts';
import { realTime, toIso, type Clock, type ClockState } from './clock.ts';
import { showingAt, timeAt, toState, toTime } from './clock-state.ts';
import { delayAt, paces, type Pace } from './pace.ts';
import type { Delay } from '../machine/table.ts';
import type { Setting } from '../records.ts';
import type { StateDocument, Store } from '../store/store.ts';

export interface TimeSettings {
  pace(): Pace;
  /** A delay of a table of states at the pace, in milliseconds; null if the record moves only by hand. */
  delay(delay: Delay): number | null;
  /** Sets the pace. It stays until another one is set, or until a start with a different `--pace` than this one. */
  setPace(pace: Pace): void;
  /**
   * Sets the clock from the store, after the store was opened or replaced. (The pace is read from the store each time.)
   */
  apply(): void;
  /**
   * To be called after the store was opened. It does what `apply` does; if a kill interrupted a jump, time continues
   * from the last change that the jump made.
   */
  resume(): void;
}

const clockId = 'clock';

/** The stored clock. `isJumping` marks the state before a jump that is under way: the changes of the jump are later. */
interface StoredClock extends ClockState {
  readonly isJumping?: true;
}

export const paceSetting = 'pace';

/** Connects the clock to the store: from now on every jump, freeze and rate is stored before it takes effect. */
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
    const value = store.settings.get(paceSetting)?.value as
      { readonly pace: Pace; readonly startedWith: Pace } | undefined;
    return value && paces.includes(value.pace) ? value : null;
  };
  const stored = (): StoredClock | undefined => store.settings.get(clockId)?.value as StoredClock | undefined;
  const keep = (state: ClockState, isJumping: boolean): void => {
    const value: StoredClock = isJumping ? { ...state, isJumping } : state;
    store.transact(() => store.settings.put({ id: clockId, value }));
  };
  clock.keepWith(keep);
  const pace = (): Pace => {
    const set = known();
    return set?.startedWith === pacedAtStart ? set.pace : pacedAtStart;
  };
  const apply = (): void => {
    try {
      clock.restore(stored() ?? realTime);
    } catch (error) {
      onNotice(`The stored clock cannot be read, so time is real: ${reasonOf(error)}`);
      clock.restore(realTime);
    }
  };
  return {
    pace,
    delay: (delay) => delayAt(pace(), delay),
    setPace(wanted) {
      const value = { pace: wanted, startedWith: pacedAtStart };
      store.transact(() => store.settings.put({ id: paceSetting, value }));
    },
    apply,
    resume() {
      apply();
      if (stored()?.isJumping !== true) return;
      const { changedAt } = store;
      const isCutOff = changedAt !== null && changedAt > clock.now();
      if (isCutOff) clock.restore(toState(showingAt(changedAt, toTime(clock.state()), clock.wall())));
      // Needed even if the jump had changed nothing yet: a later start must not think that it was still under way.
      keep(clock.state(), false);
      if (isCutOff)
        onNotice(
          `Sandpiper was killed while it moved time. Time goes on from the last change that was made, at ${toIso(changedAt)}; advance the clock for the rest.`,
        );
    },
  };
}

/** The clock and the pace of a declared world, as records; null means not declared. */
export function toTimeSettings({
  clock,
  pace,
  startedWith,
}: {
  readonly clock: ClockState | null;
  readonly pace: Pace | null;
  readonly startedWith: Pace;
}): readonly Setting[] {
  return [
    ...(clock === null ? [] : [{ id: clockId, value: { ...clock } }]),
    ...(pace === null ? [] : [{ id: paceSetting, value: { pace, startedWith } }]),
  ];
}

/** Returns a copy of a state with another clock. */
export function withClock(document: StateDocument, clock: ClockState): StateDocument {
  const others = (document.collections.settings ?? []).filter(({ id }) => id !== clockId);
  const own: Setting = { id: clockId, value: { ...clock } };
  return { ...document, collections: { ...document.collections, settings: [...others, own] } };
}

/**
 * The time that the clock of a state shows at `wall`, both in epoch ms. Real time if the state has no readable clock.
 */
export function shownTime({ collections }: Pick<StateDocument, 'collections'>, wall: number): number {
  const kept = collections.settings?.find(({ id }) => id === clockId) as Setting | undefined;
  try {
    return timeAt(toTime((kept?.value as ClockState | undefined) ?? realTime), wall);
  } catch {
    return wall;
  }
}

/** The part of the clock that timers need; times in virtual epoch ms. */
export interface TimerClock {
  at(key: string, dueMs: number, label: string, fire: () => void | Promise<void>): void;
  cancel(key: string): void;
}

/** The timers of the records of a kind: at most one for each event of a record. */
export interface Timers<Event extends string> {
  set(id: string, event: Event, due: number, fire: () => Promise<void>): void;
  remove(id: string, event: Event): void;
  /** Removes all timers of one record. */
  removeOf(id: string): void;
  removeAll(): void;
}

/** @param events the events that a timer may send */
export function createTimers<Event extends string>(
  kind: string,
  events: readonly Event[],
  clock: TimerClock,
): Timers<Event> {
  /** The keys of the waiting timers. Without one, the clock is not called. */
  const set = new Set<string>();
  const keyOf = (id: string, event: Event): string => `${kind}:${id}:${event}`;
  const remove = (id: string, event: Event): void => {
    const key = keyOf(id, event);
    if (set.delete(key)) clock.cancel(key);
  };
  return {
    set(id, event, due, fire) {
      const key = keyOf(id, event);
      set.add(key);
      clock.at(key, due, `${kind} ${id}: ${event}`, () => {
        set.delete(key);
        return fire();
      });
    },
    remove,
    removeOf(id) {
      for (const event of events) remove(id, event);
    },
    removeAll() {
      for (const key of set) clock.cancel(key);
      set.clear();
    },
  };
}

/** Tells of each edit whether records were changed since then that its undo takes back, too. */

export interface Span {
  /** Ends the edit: later changes do not belong to it. */
  end(): void;
  /** Whether there were changes since the edit, or, while it is undone, since then until the undo. */
  hasMore(): boolean;
  /**
   * Call it in the same turn as the undo of the edit.
   * @param isAll whether the undo takes back all changes since the edit
   */
  undo(isAll: boolean): void;
  /** Call it at the redo of the edit. */
  redo(): void;
}

export interface Spans {
  /** Call it at each change of records by anything but an undo or a redo. */
  count(): void;
  /** Begins an edit. */
  begin(): Span;
}

/** Creates a count of changes, and the part of it that each edit has. */
export function createSpans(): Spans {
  let count = 0;
  return {
    count: () => void (count += 1),
    begin() {
      const first = count;
      let [last, taken] = [count, 0];
      let hadMore: boolean | null = null;
      return {
        end: () => void (last = count),
        hasMore: () => hadMore ?? count !== last,
        undo(isAll) {
          hadMore = count !== last;
          taken = isAll || !hadMore ? count - first : 0;
          count -= taken;
        },
        redo() {
          count += taken;
          hadMore = null;
        },
      };
    },
  };
}

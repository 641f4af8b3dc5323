import type { Component } from 'vue';

/** One record in a list: two lines, of which the first is its name. */
export interface RecordRow {
  readonly id: string;
  readonly title: string;
  /** The beginning of the title that is not cut: a method. */
  readonly lead?: string;
  /** The end of the title that is not cut: the last segment of a path. */
  readonly keep?: string;
  /** At the right of the name: a count, or when it is due. */
  readonly right?: string;
  /** The state, which begins the second line, in its tone. */
  readonly state?: string;
  readonly second?: string;
  /** Shown before the second line. It adds nothing to the text there. */
  readonly icon?: Component;
  readonly tone?: 'ok' | 'info' | 'warn' | 'bad' | 'idle';
  /** Further words for the search. */
  readonly words?: string;
}

/** The newest matches of a search, and the number of all matches. */
export interface FoundRows {
  readonly rows: readonly RecordRow[];
  readonly total: number;
}

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
  /** The state that it is in: the beginning of the second line, in its tone. */
  readonly state?: string;
  readonly second?: string;
  /** Before the second line; it says nothing that the line does not say. */
  readonly icon?: Component;
  readonly tone?: 'ok' | 'info' | 'warn' | 'bad' | 'idle';
  /** Further words under which it is found. */
  readonly words?: string;
}

/** The newest rows that a search found, and how many it found. */
export interface FoundRows {
  readonly rows: readonly RecordRow[];
  readonly total: number;
}

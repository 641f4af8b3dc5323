import type { Component } from 'vue';

/** One line of a menu. */
export interface MenuLine {
  readonly label: string;
  readonly icon?: Component | undefined;
  /** The key that does the same. */
  readonly hint?: string;
  readonly danger?: boolean;
  /** Why it cannot be done now. */
  readonly why?: string | null | undefined;
  act(): unknown;
}

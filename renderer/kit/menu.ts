import { createEventHook } from '@vueuse/core';
import type { Component } from 'vue';

/** One line of a menu. */
export interface MenuLine {
  readonly label: string;
  readonly icon?: Component | undefined;
  /** The row of the key table that does the same. */
  readonly keys?: string | undefined;
  /** What more there is to say, small at the right. */
  readonly note?: string | undefined;
  /** Of a line that is switched on and off; the menu stays open for the next one. */
  readonly checked?: boolean;
  readonly danger?: boolean;
  /** With a line above it. */
  readonly isApart?: boolean;
  /** Why it cannot be done now. */
  readonly why?: string | null;
  act(): unknown;
}

const closing = createEventHook();

/** Closes the menu that is open: what its lines do may be about a record that is another one by now. */
export const closeMenus = (): void => void closing.trigger();
export const onCloseMenus = closing.on;

import { createEventHook, unrefElement, type MaybeElement } from '@vueuse/core';
import type { Component, ShallowRef } from 'vue';

/** One line of a menu. */
export interface MenuLine {
  readonly label: string;
  readonly icon?: Component | undefined;
  /** The row of the key table with the same action. */
  readonly keys?: string | undefined;
  /** A remark, small at the right. */
  readonly note?: string | undefined;
  /** Whether a line that can be switched is on. The menu stays open for the next one. */
  readonly checked?: boolean;
  readonly danger?: boolean;
  /** Whether a separator is above it. */
  readonly isApart?: boolean;
  /** Why the line cannot be used now. */
  readonly why?: string | null;
  act(): unknown;
}

const closing = createEventHook();

/** Closes the open menu, because its lines may be about a record that has been replaced. */
export const closeMenus = (): void => void closing.trigger();
export const onCloseMenus = closing.on;

/**
 * Tab closes a menu and goes on from the element that opened it. The menu itself is at the end of the page, where nothing
 * follows.
 * @returns what to do on Tab, before the browser moves the focus
 */
export const useTabOut =
  (opener: Readonly<ShallowRef<MaybeElement>>): (() => void) =>
  () => {
    const element = unrefElement(opener);
    if (element instanceof HTMLElement) element.focus();
  };

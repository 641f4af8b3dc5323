import { useEventListener } from '@vueuse/core';
import { toPrintable } from '../../emulator/contract/printable.ts';

/**
 * Writes out characters without width, and those that change the direction, in tooltips, like ExactText in the page.
 * The browser reads a title only when the pointer is over its element, so one listener can do it then for all.
 */
export function useExactTooltips(): void {
  useEventListener(document, 'pointerover', ({ target }) => {
    const titled = target instanceof Element ? target.closest<HTMLElement>('[title]') : null;
    const exact = titled && toPrintable(titled.title);
    if (titled && exact !== null && exact !== titled.title) titled.title = exact;
  });
}

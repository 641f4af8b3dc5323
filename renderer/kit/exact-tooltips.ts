import { useEventListener } from '@vueuse/core';
import { toPrintable } from '../../emulator/contract/printable.ts';

/**
 * Writes out in tooltips what has no width or changes the direction, as ExactText does in the page. The browser reads a title only
 * once the pointer is over its element, so it is done then, for all at one place.
 */
export function useExactTooltips(): void {
  useEventListener(document, 'pointerover', ({ target }) => {
    const titled = target instanceof Element ? target.closest<HTMLElement>('[title]') : null;
    const exact = titled && toPrintable(titled.title);
    if (titled && exact !== null && exact !== titled.title) titled.title = exact;
  });
}

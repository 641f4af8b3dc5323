import { useEventListener } from '@vueuse/core';

/** Milliseconds without a key after which a menu begins a new name. */
const forgetsAfter = 1_000;

/**
 * Called once, by the frame: makes Space part of a name that is typed in a menu. The menu would take it as a press of
 * the line found so far: `Delete the …`.
 */
export function useSpaceInNames(): void {
  let typedAt = -Infinity;
  useEventListener(
    window,
    'keydown',
    (event) => {
      const menu = event.target instanceof Element ? event.target.closest('[role="menu"]') : null;
      if (!menu || !event.isTrusted) return;
      const isPart = event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
      const isTyping = event.timeStamp - typedAt < forgetsAfter;
      const isSpace = event.key === ' ';
      typedAt = isPart && (!isSpace || isTyping) ? event.timeStamp : -Infinity;
      if (!isSpace || !isTyping) return;
      event.preventDefault();
      event.stopPropagation();
      // Sent to the menu, not to one of its lines: it searches by `key`, and ignores events with the `code` Space.
      menu.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }));
    },
    { capture: true },
  );
}

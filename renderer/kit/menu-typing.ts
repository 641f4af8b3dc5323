import { useEventListener } from '@vueuse/core';

/** After this many milliseconds without a key a menu begins a new name. */
const forgetsAfter = 1_000;

/**
 * For the frame, once: in a menu a Space within a name that is typed is part of it. Menus would take it as a press of the
 * line that was found so far: `Delete the …`.
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
      // Sent to the menu, not to a line of it: it searches by the key, and ignores events whose code is Space.
      menu.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }));
    },
    { capture: true },
  );
}

import { useEventListener } from '@vueuse/core';

/** In milliseconds: then a menu begins a new name. */
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
      // To the menu and to none of its lines. It searches by the key, and leaves out what has the code of Space.
      menu.dispatchEvent(new KeyboardEvent('keydown', { key: event.key }));
    },
    { capture: true },
  );
}

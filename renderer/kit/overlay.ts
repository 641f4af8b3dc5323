import { inject, onBeforeUnmount, onMounted, provide, type InjectionKey, type ShallowRef } from 'vue';
import { focusView } from './view-focus.ts';

const key: InjectionKey<Readonly<ShallowRef<HTMLElement | null>>> = Symbol('overlay');

/**
 * Provides the dialog for its popovers. It makes everything outside inert, so a popover inside it must be its child.
 */
export function provideOverlay(element: Readonly<ShallowRef<HTMLElement | null>>): void {
  provide(key, element);
}

/** The element in which a popover must be mounted: the dialog around it; null means the body. */
export function useOverlay(): Readonly<ShallowRef<HTMLElement | null>> | null {
  return inject(key, null);
}

/**
 * A modal `<dialog>` that is open while its component is mounted. The browser fires `close` a moment after the dialog
 * has closed; a request to open it in between would be lost.
 * @param onClosed called synchronously when it is closed
 * @returns a function that closes it
 */
export function useModal(dialog: Readonly<ShallowRef<HTMLDialogElement | null>>, onClosed: () => void): () => void {
  onMounted(() => dialog.value?.showModal());
  return () => {
    dialog.value?.close();
    onClosed();
  };
}

const overlays = 'dialog, [role="menu"], [role="dialog"], [role="listbox"]';
/** The last focused element outside of every overlay: a menu is gone when the dialog that it opened closes. */
let lastFocused: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(overlays)) lastFocused = target;
});

/** The focused element; while an overlay has the focus or has just closed, the element that had it before. */
export function focusedOutside(): Element | null {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest(overlays) ? lastFocused : activeElement;
}

/**
 * When a dialog closes and leaves no element focused, focuses the element that had the focus before the dialog and its
 * menu opened. If that element is gone or hidden, such as a row that was deleted elsewhere, the part of the page around
 * it gets the focus, or the list of the view.
 */
export function useFocusReturn(): void {
  /** The opener and its ancestors in the view, of which only focusable ones react to `focus`. */
  const places: HTMLElement[] = [];
  onMounted(() => {
    // Stop at the view: its container scrolls, and the browser gives the focus to scroll containers.
    for (let place = lastFocused; place && place.localName !== 'main'; place = place.parentElement) places.push(place);
  });
  onBeforeUnmount(() => {
    // Wait until the dialog is gone: first the browser returns the focus, to the menu item if that still exists.
    setTimeout(() => {
      for (const place of places) if (document.activeElement === document.body) place.focus({ preventScroll: true });
      void focusView();
    });
  });
}

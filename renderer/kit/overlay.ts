import { inject, onBeforeUnmount, onMounted, provide, type InjectionKey, type ShallowRef } from 'vue';
import { focusView } from './view-focus.ts';

const key: InjectionKey<Readonly<ShallowRef<HTMLElement | null>>> = Symbol('overlay');

/** A modal dialog makes everything outside it inert, so a popover inside it must be its child. */
export function provideOverlay(element: Readonly<ShallowRef<HTMLElement | null>>): void {
  provide(key, element);
}

/** Where a popover opened from here must be mounted: in the dialog around it; null means the body. */
export function useOverlay(): Readonly<ShallowRef<HTMLElement | null>> | null {
  return inject(key, null);
}

/**
 * A modal `<dialog>` that is open as long as its component is there. The browser's own `close` event comes a moment after
 * the dialog has closed; what asks for it again in between would be lost.
 * @param onClosed says that it is closed, in the same turn
 * @returns closes it
 */
export function useModal(dialog: Readonly<ShallowRef<HTMLDialogElement | null>>, onClosed: () => void): () => void {
  onMounted(() => dialog.value?.showModal());
  return () => {
    dialog.value?.close();
    onClosed();
  };
}

const overlays = 'dialog, [role="menu"], [role="dialog"], [role="listbox"]';
/** What had the focus last outside of every overlay: a menu is gone when the dialog that it opened is closed. */
let lastFocused: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(overlays)) lastFocused = target;
});

/** What has the focus; while an overlay has it, or has just closed, what had it before. */
export function focusedOutside(): Element | null {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest(overlays) ? lastFocused : activeElement;
}

/**
 * When a dialog closes and the focus would be nowhere, it goes to where it was before the dialog and its menu opened. If
 * that is gone or not seen, as a row that was deleted elsewhere, it goes to the part of the page around it, or to the list
 * of the view.
 */
export function useFocusReturn(): void {
  /** What opened it, and what is around that in its view: of these, only what can take the focus gets it. */
  const places: HTMLElement[] = [];
  onMounted(() => {
    // Not what is around the view: that scrolls it, and the browser gives the focus to what scrolls.
    for (let place = lastFocused; place && place.localName !== 'main'; place = place.parentElement) places.push(place);
  });
  onBeforeUnmount(() => {
    // After the dialog has left the page: the browser returns the focus first, to the menu item if that were still there.
    setTimeout(() => {
      for (const place of places) if (document.activeElement === document.body) place.focus({ preventScroll: true });
      void focusView();
    });
  });
}

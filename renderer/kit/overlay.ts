import { inject, onBeforeUnmount, onMounted, provide, type InjectionKey, type ShallowRef } from 'vue';

const key: InjectionKey<Readonly<ShallowRef<HTMLElement | null>>> = Symbol('overlay');

/** A modal dialog makes everything outside it inert, so a popover inside it must be its child. */
export function provideOverlay(element: Readonly<ShallowRef<HTMLElement | null>>): void {
  provide(key, element);
}

/** Where a popover opened from here must be mounted: in the dialog around it; null means the body. */
export function useOverlay(): Readonly<ShallowRef<HTMLElement | null>> | null {
  return inject(key, null);
}

const overlays = 'dialog, [role="menu"], [role="dialog"], [role="listbox"]';
/** What had the focus last outside of every overlay: a menu is gone when the dialog that it opened is closed. */
let lastFocused: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(overlays)) lastFocused = target;
});

/** When a dialog closes and the focus would be nowhere, it goes to where it was before the dialog and its menu opened. */
export function useFocusReturn(): void {
  let opener: HTMLElement | null = null;
  onMounted(() => (opener = lastFocused));
  onBeforeUnmount(() => {
    // After the dialog has left the page: the browser returns the focus first, to the menu item if that were still there.
    setTimeout(() => {
      if (document.activeElement === document.body && opener?.isConnected) opener.focus();
    });
  });
}

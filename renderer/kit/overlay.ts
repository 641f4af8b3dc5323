import { inject, provide, type InjectionKey, type ShallowRef } from 'vue';

const key: InjectionKey<Readonly<ShallowRef<HTMLElement | null>>> = Symbol('overlay');

/** A modal dialog makes everything outside it inert, so a popover inside it must be its child. */
export function provideOverlay(element: Readonly<ShallowRef<HTMLElement | null>>): void {
  provide(key, element);
}

/** Where a popover opened from here must be mounted: in the dialog around it; null means the body. */
export function useOverlay(): Readonly<ShallowRef<HTMLElement | null>> | null {
  return inject(key, null);
}

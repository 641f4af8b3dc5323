import { inject, provide, type InjectionKey, type ShallowRef } from 'vue';

const key: InjectionKey<Readonly<ShallowRef<HTMLElement | null>>> = Symbol('overlay');

/** A modal dialog makes everything outside it inert, so what pops up within it must stand in it. */
export function provideOverlay(element: Readonly<ShallowRef<HTMLElement | null>>): void {
  provide(key, element);
}

/** Where what pops up from here must stand: in the dialog around it, else null, which is the body. */
export function useOverlay(): Readonly<ShallowRef<HTMLElement | null>> | null {
  return inject(key, null);
}

import { inject, provide, shallowReactive, type InjectionKey } from 'vue';

const key: InjectionKey<Set<string>> = Symbol('revealed');

/** Remembers revealed keys while this component exists, because their rows may be scrolled away and come back. */
export function keepRevealed(): void {
  provide(key, shallowReactive(new Set<string>()));
}

/** The revealed keys, each with its label. */
export function useRevealed(): Set<string> {
  return inject(key, () => shallowReactive(new Set<string>()), true);
}

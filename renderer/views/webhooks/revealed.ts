import { inject, provide, shallowReactive, type InjectionKey } from 'vue';

const key: InjectionKey<Set<string>> = Symbol('revealed');

/** Remembers which keys were revealed, as long as this component exists: their rows may be scrolled away and come back. */
export function keepRevealed(): void {
  provide(key, shallowReactive(new Set<string>()));
}

/** The keys that were revealed, each with what it is. */
export function useRevealed(): Set<string> {
  return inject(key, () => shallowReactive(new Set<string>()), true);
}

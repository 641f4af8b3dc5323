import { inject, provide, shallowReactive, type InjectionKey } from 'vue';

const key: InjectionKey<Set<string>> = Symbol('revealed');

/** Keeps which keys were revealed below this component while it is there: what shows them may be scrolled away and come back. */
export function keepRevealed(): void {
  provide(key, shallowReactive(new Set<string>()));
}

/** The keys that were revealed, each with what it is. */
export function useRevealed(): Set<string> {
  return inject(key, () => shallowReactive(new Set<string>()), true);
}

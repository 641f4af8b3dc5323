import { computed, shallowRef, type ComputedRef } from 'vue';

export interface Choices<Choice extends string> {
  /** Those that are chosen, in the order of all. */
  readonly chosen: ComputedRef<readonly Choice[]>;
  /** Chooses some, or takes them out. */
  choose(some: readonly Choice[], on: boolean): void;
}

/**
 * What a person chooses from a list in a form, on top of the list as it is now: what another window chose or took out
 * since the form opened stays, unless it was also set here.
 * @param all what can be chosen
 * @param held what is chosen now
 */
export function useChoices<Choice extends string>(
  all: () => readonly Choice[],
  held: () => readonly Choice[],
): Choices<Choice> {
  const set = shallowRef<ReadonlyMap<Choice, boolean>>(new Map());
  return {
    chosen: computed(() => all().filter((one) => set.value.get(one) ?? held().includes(one))),
    choose(some, on) {
      set.value = new Map([...set.value, ...some.map((one) => [one, on] as const)]);
    },
  };
}

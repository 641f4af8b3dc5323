import { computed, shallowRef, type ComputedRef } from 'vue';

export interface Choices<Choice extends string> {
  /** The chosen values, in the order of all. */
  readonly chosen: ComputedRef<readonly Choice[]>;
  /** Chooses values, or removes them. */
  choose(some: readonly Choice[], on: boolean): void;
}

/**
 * A person's choices from a list in a form, on top of the current list. Choices that another window made or removed
 * since the form opened stay, unless they were also set here.
 * @param all all values to choose from
 * @param held the values chosen now
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

import { computed, onScopeDispose, shallowRef, toValue, type Component, type MaybeRefOrGetter } from 'vue';
import { useKeys } from './keys.ts';

/** Something that a person can do, as the palette lists it. */
export interface Action {
  /** Unique, and kept: the palette lists the most recently run first. */
  readonly name: string;
  /** Verb first: `Advance the clock by 1 h`. */
  readonly title: string;
  readonly icon?: Component;
  /** Shown at the right: the context, such as `this request`. */
  readonly hint?: string;
  /** The row of the key table that does the same. */
  readonly keys?: string;
  /** Further words under which it is found. */
  readonly words?: string;
  /** Why it cannot be done now; then it is listed, and says so. */
  readonly why?: string | null;
  act(): unknown;
}

const offers = shallowRef<readonly MaybeRefOrGetter<readonly Action[]>[]>([]);

/** Offers actions in the palette while the component is there; those of the view come before those of the frame. */
export function useActions(actions: MaybeRefOrGetter<readonly Action[]>): void {
  offers.value = [...offers.value, actions];
  onScopeDispose(() => (offers.value = offers.value.filter((other) => other !== actions)));
}

/**
 * Like `useActions`; the keys of the actions run them too.
 * @param refuse is called with the title of an action that cannot be done now, and why
 */
export function useCommands(
  actions: MaybeRefOrGetter<readonly Action[]>,
  refuse: (title: string, why: string) => void,
): void {
  useActions(actions);
  const keyed = computed(() =>
    Object.fromEntries(
      toValue(actions).flatMap(({ keys, title, why, act }) =>
        keys === undefined ? [] : [[keys, () => (why ? refuse(title, why) : void act())]],
      ),
    ),
  );
  useKeys(() => keyed.value);
}

/** All that is offered now: the newest first, as views come after the frame. */
export const offeredActions = computed(() => [...offers.value].reverse().flatMap((actions) => toValue(actions)));

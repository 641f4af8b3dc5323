import { computed, onScopeDispose, shallowRef, toValue, type Component, type MaybeRefOrGetter } from 'vue';
import { useKeys } from './keys.ts';

/** An action that a person can run, as the palette lists it. */
export interface Action {
  /** Unique and stable: the palette remembers it to list recently run actions first. */
  readonly name: string;
  /** Verb first: `Advance the clock by 1 h`. */
  readonly title: string;
  readonly icon?: Component;
  /** Shown at the right: the context, such as `this request`. */
  readonly hint?: string;
  /** The name of the row of the key table that runs the same action. */
  readonly keys?: string;
  /** More search words for the palette. */
  readonly words?: string;
  /** Why the action cannot run now. It is still listed, with this reason. */
  readonly why?: string | null;
  act(): unknown;
}

const offers = shallowRef<readonly MaybeRefOrGetter<readonly Action[]>[]>([]);

/** Offers actions in the palette while the component is mounted. Those of the view come before those of the frame. */
export function useActions(actions: MaybeRefOrGetter<readonly Action[]>): void {
  offers.value = [...offers.value, actions];
  onScopeDispose(() => (offers.value = offers.value.filter((other) => other !== actions)));
}

/**
 * Like `useActions`, and binds the keys of the actions.
 * @param refuse called with the title of an action that cannot run now, and the reason
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

/** All actions offered now, newest first, because views mount after the frame. */
export const offeredActions = computed(() => [...offers.value].reverse().flatMap((actions) => toValue(actions)));

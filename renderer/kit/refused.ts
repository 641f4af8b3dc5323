import {
  computed,
  getCurrentInstance,
  inject,
  onScopeDispose,
  provide,
  shallowReactive,
  type ComputedRef,
  type InjectionKey,
  type Ref,
} from 'vue';

/** A value that was refused: the sentence, and where it is in what was sent. */
interface Refused {
  readonly problem: Readonly<Ref<string | null>>;
  /** A JSON pointer into the body: `/user/phone`; null if the sentence is about no one value. */
  readonly at: Readonly<Ref<string | null>>;
  /** The pointers that fields of the form fill, each as often as there are such fields. */
  readonly fields: Set<{ readonly at: string }>;
}

const key: InjectionKey<Refused> = Symbol('refused');
const covers = (field: string, at: string | null): boolean =>
  at !== null && (at === field || at.startsWith(`${field}/`));

/** For the fields below the component that sends them. Elsewhere it does nothing. */
export function provideRefused(refused: Omit<Refused, 'fields'>): void {
  if (getCurrentInstance()) provide(key, { ...refused, fields: shallowReactive(new Set<{ readonly at: string }>()) });
}

/** The problem of one field. @param at the pointer that the field fills; '' is none */
export function useFieldProblem(at: string): ComputedRef<string | null> {
  const refused = inject(key, null);
  if (!refused || at === '') return computed(() => null);
  const field = { at };
  refused.fields.add(field);
  onScopeDispose(() => refused.fields.delete(field));
  return computed(() => (covers(at, refused.at.value) ? refused.problem.value : null));
}

/** Whether a field of the form shows the problem, so that nothing else has to. */
export function useShownAtField(): ComputedRef<boolean> {
  const refused = inject(key, null);
  return computed(() => refused !== null && [...refused.fields].some((field) => covers(field.at, refused.at.value)));
}

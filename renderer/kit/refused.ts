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

/** A refused value: the sentence, and the place of the value in the sent body. */
interface Refused {
  readonly problem: Readonly<Ref<string | null>>;
  /** A JSON pointer into the body: `/user/phone`; null if the sentence is not about a single value. */
  readonly at: Readonly<Ref<string | null>>;
  /** The pointers of the fields in the form, with one entry per field. */
  readonly fields: Set<{ readonly at: string }>;
}

const key: InjectionKey<Refused> = Symbol('refused');
const covers = (field: string, at: string | null): boolean =>
  at !== null && (at === field || at.startsWith(`${field}/`));

/** Provides the refusal to the fields below the component that sends them. Outside a component it does nothing. */
export function provideRefused(refused: Omit<Refused, 'fields'>): void {
  if (getCurrentInstance()) provide(key, { ...refused, fields: shallowReactive(new Set<{ readonly at: string }>()) });
}

/** The problem of one field. @param at the pointer that the field fills; '' for none */
export function useFieldProblem(at: string): ComputedRef<string | null> {
  const refused = inject(key, null);
  if (!refused || at === '') return computed(() => null);
  const field = { at };
  refused.fields.add(field);
  onScopeDispose(() => refused.fields.delete(field));
  return computed(() => (covers(at, refused.at.value) ? refused.problem.value : null));
}

/** Whether a field of the form shows the problem, so that no other element has to. */
export function useShownAtField(): ComputedRef<boolean> {
  const refused = inject(key, null);
  return computed(() => refused !== null && [...refused.fields].some((field) => covers(field.at, refused.at.value)));
}

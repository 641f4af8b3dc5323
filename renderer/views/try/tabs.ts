import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import { withoutSecrets } from '../../../emulator/contract/secret-places.ts';
import { isListOf, isMapOf, isOrNull, isText, isWith, useKept } from '../../browser-storage.ts';
import { useToasts } from '../../kit/toasts.ts';
import { graphqlId, isGraphql, isInput, type Input } from './input.ts';
import { createSending, type Sending } from './use-sending.ts';

/** A request that is being made. The tab keeps the input of each operation. */
export interface TryTab {
  readonly id: string;
  /** An operation of the contract, `graphql`, or '' for the first operation. */
  readonly operation: string;
  readonly inputs: { readonly [operation: string]: Input };
  /** The name of the saved request from which the tab was opened. */
  readonly saved: string | null;
}

/** The content of a tab to open. */
export interface Opened {
  readonly operation: string;
  readonly input?: Input | null;
  readonly saved?: string | null;
}

let made = 0;
const toTab = ({ operation, input = null, saved = null }: Opened): TryTab => ({
  id: `t${Date.now().toString(36)}-${(made += 1)}`,
  operation,
  inputs: input === null ? {} : { [operation]: input },
  saved,
});

const isTab = isWith<TryTab>({ id: isText, operation: isText, inputs: isMapOf(isInput), saved: isOrNull(isText) });

/** The room for all inputs, in characters. Browsers allow a few million for everything that a page keeps. */
const room = 2_000_000;
/** A cache of lengths: an input is replaced, never changed. */
const lengths = new WeakMap<Input, number>();
function lengthOf(input: Input): number {
  const length = lengths.get(input) ?? JSON.stringify(input).length;
  lengths.set(input, length);
  return length;
}

/** The largest inputs, for which there is no room. */
function findLarge(tabs: readonly TryTab[]): ReadonlySet<Input> {
  const all = tabs.flatMap(({ inputs }) => Object.values(inputs));
  let left = room;
  return new Set(
    all.toSorted((one, other) => lengthOf(one) - lengthOf(other)).filter((one) => (left -= lengthOf(one)) < 0),
  );
}

function withoutLarge(tabs: readonly TryTab[]): readonly TryTab[] {
  const large = findLarge(tabs);
  const keep = (inputs: TryTab['inputs']): TryTab['inputs'] =>
    Object.fromEntries(Object.entries(inputs).filter(([, input]) => !large.has(input)));
  return large.size === 0 ? tabs : tabs.map((tab) => ({ ...tab, inputs: keep(tab.inputs) }));
}

/** The tabs of *Try it*. They are kept in this browser, without secrets. Their answers are kept until a reload. */
export const useTryTabs = defineStore('tryTabs', () => {
  const kept = useKept<readonly TryTab[]>('sandpiper.try.tabs', [toTab({ operation: '' })], isListOf(isTab), {
    isShared: false,
    toWritten: (all) => withoutSecrets(withoutLarge(all)),
  });
  const chosen = useKept('sandpiper.try.tab', '', isText, { storage: sessionStorage });
  const toasts = useToasts();
  watch(
    () => findLarge(kept.value).size > 0,
    (isAny) =>
      isAny && toasts.refuse('What is filled in is too large for this browser to keep: a reload takes it away.'),
  );
  const tabs = computed(() => kept.value);
  const active = computed(
    () => kept.value.find(({ id }) => id === chosen.value) ?? kept.value[0] ?? toTab({ operation: '' }),
  );
  const sendings = shallowReactive(new Map<string, Sending>());
  /** The input of each tab when it was last sent, or filled in from the history: replacing it loses nothing. */
  const settled = new Map<string, Input>();

  function change(id: string, to: Partial<TryTab>): void {
    const before = kept.value.find((tab) => tab.id === id)?.operation;
    // The answer belongs to the previous operation.
    if (to.operation !== undefined && to.operation !== before) sendings.get(id)?.reset();
    kept.value = kept.value.map((tab) => (tab.id === id ? { ...tab, ...to } : tab));
  }
  const activate = (id: string): void => void (chosen.value = id);

  /** Opens a new tab after the active one. */
  function open(opened: Opened): void {
    const tab = toTab(opened);
    kept.value = kept.value.toSpliced(kept.value.indexOf(active.value) + 1, 0, tab);
    activate(tab.id);
    if (opened.input) settled.set(tab.id, opened.input);
  }

  /** Opens a request in the active tab, or in a new one if the active tab has unsent input for this operation. */
  function takeUp({ operation, input = null, saved = null }: Opened): void {
    const { id, inputs } = active.value;
    const there = inputs[operation];
    if (there !== undefined && JSON.stringify(there) !== JSON.stringify(settled.get(id)))
      return open({ operation, input, saved });
    change(id, { operation, saved });
    if (input) {
      change(id, { inputs: { ...inputs, [operation]: input } });
      settled.set(id, input);
    }
  }

  /** Sets the input of an operation. Null restores the example. */
  function setInput(operation: string, input: Input | null): void {
    const { id, inputs } = active.value;
    const { [operation]: _before, ...rest } = inputs;
    change(id, { inputs: input === null ? rest : { ...rest, [operation]: input } });
  }

  /** Like `setInput`, with an undo that restores the previous input and shows it. */
  function replaceInput(operation: string, input: Input | null, says: string): void {
    const { id, inputs } = active.value;
    const before = inputs[operation];
    setInput(operation, input);
    if (before === undefined) return;
    toasts.say(says, () => {
      const tab = kept.value.find((one) => one.id === id);
      if (!tab) return;
      change(id, { operation, inputs: { ...tab.inputs, [operation]: before } });
      activate(id);
    });
  }

  function close(id: string): void {
    const at = kept.value.findIndex((tab) => tab.id === id);
    const closed = kept.value[at];
    if (!closed) return;
    const wasActive = closed.id === active.value.id;
    const rest = kept.value.toSpliced(at, 1);
    kept.value = rest.length > 0 ? rest : [toTab({ operation: closed.operation })];
    if (wasActive) activate((kept.value[at] ?? kept.value.at(-1))?.id ?? '');
    if (Object.keys(closed.inputs).length === 0) return;
    toasts.say('Closed a tab', () => {
      kept.value = kept.value.toSpliced(at, 0, closed);
      activate(closed.id);
    });
  }

  return {
    tabs,
    active,
    activate,
    open,
    takeUp,
    close,
    /** Shows an operation in the active tab. */
    show(operation: string): void {
      const { id, operation: now } = active.value;
      if (operation !== now) change(id, { operation, saved: null });
    },
    setInput,
    replaceInput,
    setSaved: (saved: string | null): void => change(active.value.id, { saved }),
    /** The requests sent from a tab, with the last answer. */
    sending(id: string): Sending {
      const known = sendings.get(id) ?? createSending();
      sendings.set(id, known);
      return known;
    },
    /** Notes that the current input was sent unchanged. */
    settle(): void {
      const { id, operation, inputs } = active.value;
      const input = inputs[operation];
      if (input) settled.set(id, input);
    },
  };
});

/** The title of a tab: the saved request, the GraphQL operation, or the method and path. */
export function toTitle(tab: TryTab, say: (operation: string, input: Input | undefined) => string): string {
  if (tab.saved !== null) return tab.saved;
  const input = tab.inputs[tab.operation];
  if (tab.operation !== graphqlId) return say(tab.operation, input);
  return isGraphql(input) && input.operation !== '' ? input.operation : 'GraphQL';
}

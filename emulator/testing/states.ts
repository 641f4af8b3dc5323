import { toKind } from '../records/kind.ts';
import { didYouMean, UserError } from '../errors.ts';
import { lifecycleKinds, type StatefulName } from '../lifecycles.ts';
import type { Collection, Store } from '../store/store.ts';
import type { StoredRecord } from '../records.ts';
import type { Sandbox, SandboxControl } from './api.ts';
import { defaultTimeoutMs, type Waiting } from './waiting.ts';

interface Stateful extends StoredRecord {
  readonly state: string;
}

/** Waits until records are in a state, and shows them then. */
export function createStateWaits({
  store,
  waiting,
  control,
}: {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly control: Pick<SandboxControl, 'record'>;
}): Sandbox['waitForState'] {
  return (kind, id, state, { timeoutMs = defaultTimeoutMs } = {}) =>
    waiting.until(() => {
      const name = toName(kind);
      const { states } = lifecycleKinds[name].table;
      if (!states.includes(state)) throw new UserError(`No ${kind} are ever "${state}". ${didYouMean(state, states)}`);
      const records = store[name] as unknown as Collection<Stateful>;
      const find = (): Stateful | undefined => records.get(id);
      return {
        what: `state "${state}" of ${kind} ${id}`,
        timeoutMs,
        check: () => (find()?.state === state ? control.record(kind, id) : undefined),
        explain: () => {
          const known = find();
          return known ? `It is "${known.state}".` : 'There is no such record.';
        },
      };
    });
}

function toName(kind: string): StatefulName {
  const names = Object.keys(lifecycleKinds) as StatefulName[];
  const name = names.find((one) => toKind(one) === kind);
  if (name === undefined)
    throw new UserError(`Records of kind "${kind}" have no states. ${didYouMean(kind, names.map(toKind))}`);
  return name;
}

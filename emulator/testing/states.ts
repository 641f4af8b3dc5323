import { toKind } from '../records/kind.ts';
import { lifecycleKinds, type StatefulName } from '../lifecycles.ts';
import type { Collection, Store } from '../store/store.ts';
import type { StoredRecord } from '../records.ts';
import type { Sandbox, SandboxControl } from './api.ts';
import { checkValue, text } from './checks.ts';
import { toTimeout, type Waiting } from './waiting.ts';

interface Stateful extends StoredRecord {
  readonly state: string;
}

/** Waits until a record is in a state, and resolves with it. */
export function createStateWaits({
  store,
  waiting,
  control,
}: {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly control: Pick<SandboxControl, 'record'>;
}): Sandbox['waitForState'] {
  return (kind, id, state, options) =>
    waiting.until(() => {
      const name = toName(kind);
      const { states } = lifecycleKinds[name].table;
      checkValue('id of waitForState', id, text);
      checkValue(`state of ${kind}`, state, states);
      const records = store[name] as unknown as Collection<Stateful>;
      const find = (): Stateful | undefined => records.get(id);
      return {
        what: `state "${state}" of ${kind} ${id}`,
        timeoutMs: toTimeout(options),
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
  checkValue('kind of waitForState', kind, names.map(toKind));
  return names.find((one) => toKind(one) === kind) as StatefulName;
}

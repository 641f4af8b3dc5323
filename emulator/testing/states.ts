import { toKind } from '../records/kind.ts';
import { lifecycleKinds, type Lifecycles, type StatefulName } from '../lifecycles.ts';
import type { Collection, Store } from '../store/store.ts';
import type { Move, StoredRecord } from '../records.ts';
import type { Sandbox, SandboxControl } from './api.ts';
import { checkValue, filled } from './checks.ts';
import { toTimeout, type Waiting } from './waiting.ts';

interface Stateful extends StoredRecord {
  readonly state: string;
}

interface Row {
  readonly from: string;
  readonly event: string;
}

/** Waits until a record is in a state, and resolves with it. */
export function createStateWaits({
  store,
  waiting,
  control,
  lifecycles,
}: {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly control: Pick<SandboxControl, 'record'>;
  readonly lifecycles: Pick<Lifecycles, 'movesOf'>;
}): Sandbox['waitForState'] {
  return (kind, id, state, options) =>
    waiting.until(() => {
      const name = toName(kind);
      const { states, rows } = lifecycleKinds[name].table;
      checkValue('id of waitForState', id, filled);
      checkValue(`state of ${kind}`, state, states);
      const records = store[name] as unknown as Collection<Stateful>;
      const find = (): Stateful | undefined => records.get(id);
      return {
        what: `state "${state}" of ${kind} ${id}`,
        timeoutMs: toTimeout(options),
        check: () => (find()?.state === state ? control.record(kind, id) : undefined),
        explain: () => {
          const known = find();
          return known ? toStory(known, state, rows, lifecycles.movesOf(name, known)) : 'There is no such record.';
        },
      };
    });
}

function toName(kind: string): StatefulName {
  const names = Object.keys(lifecycleKinds) as StatefulName[];
  checkValue('kind of waitForState', kind, names.map(toKind));
  return names.find((one) => toKind(one) === kind) as StatefulName;
}

/** Says what the moves of its state wait for, and those to the wanted state. */
function toStory({ state }: Stateful, wanted: string, rows: readonly Row[], moves: readonly Move[]): string {
  const isFromHere = (move: Move): boolean => rows.some(({ from, event }) => from === state && event === move.event);
  const lines = moves
    .filter((move) => isFromHere(move) || move.to === wanted)
    .map(({ event, to, open, why, dueAt }) => {
      const how = [...(open ? ['by hand'] : []), ...(dueAt === null ? [] : [`by the clock at ${dueAt}`])];
      return `\n  ${event}, to "${to}": ${how.join(', or ') || `not possible, ${why}`}`;
    });
  return `It is "${state}".${lines.length === 0 ? '' : ` Its moves:${lines.join('')}`}`;
}

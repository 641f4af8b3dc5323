import { lifecycleKinds, type LifecycleKind, type StatefulName } from '../lifecycles.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import { inBody, inPath, inQuery, refuse } from '../rules.ts';
import { toKind } from '../records/kind.ts';
import type { MachinesView, RecordView, RecordsView, recordCalls } from './contract/records.ts';
import { recordRules, refuseBeside } from './rules/resource-rules.ts';
import { checkCompany, companyOf, countOfCompany } from './of-company.ts';
import { findKind } from './find-kind.ts';
import { searchKind, toMatcher } from './record-search.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { maskRecord } from './views.ts';

/** Handlers for records of any kind as they are stored, their states, and moves by hand. */
export function createRecordHandlers({ store, lifecycles, undo }: HandlerDeps): Handlers<typeof recordCalls> {
  const nameOf = (kind: string): CollectionName => findKind(store, kind);
  const recordOf = (kind: string, id: string): StoredRecord =>
    store.collection(nameOf(kind)).get(id) ?? refuse(recordRules.unknown, inPath('id'), id, { kind, id });

  /** A record with its state, its moves and its history. The contract checks its shape, kind by kind. */
  const toView = (kind: string, record: StoredRecord): RecordView => {
    const { state = null, history = [] } = record as { state?: string; history?: RecordView['history'] };
    const name = nameOf(kind);
    const moves = lifecycles.movesOf(name, record);
    return { kind, record: maskRecord(name, record), state, moves, history } as unknown as RecordView;
  };

  return {
    async 'GET /control/records/{kind}'({ params: { kind }, query }) {
      refuseBeside('last', ['offset', 'limit'], query);
      const { offset = 0, limit = 100, last, companyId, search = '' } = query;
      const most = last ?? limit;
      const toStart = (total: number): number => (last === undefined ? offset : Math.max(0, total - most));
      const name = nameOf(kind);
      checkCompany(store, companyId);
      const matches = toMatcher(search);
      if (matches) {
        if (!store.definitions[name]?.found)
          return refuse(recordRules.notSearched, inQuery('search'), search, { kind });
        const found = await searchKind({ store, name, companyId, matches });
        const start = toStart(found.length);
        const page = found.slice(start, start + most).map((record) => maskRecord(name, record));
        return { kind, total: found.length, records: page } as unknown as RecordsView;
      }
      const collection = store.collection(name);
      const total = companyId === undefined ? collection.size : countOfCompany(store, name, companyId);
      const start = toStart(total);
      const records: StoredRecord[] = [];
      let place = 0;
      for (const record of collection.all()) {
        if (records.length >= most) break;
        if (companyId !== undefined && companyOf(record) !== companyId) continue;
        if (place >= start) records.push(maskRecord(name, record));
        place += 1;
      }
      return { kind, total, records } as unknown as RecordsView;
    },
    'GET /control/records/{kind}/{id}': ({ params: { kind, id } }) => toView(kind, recordOf(kind, id)),
    async 'POST /control/records/{kind}/{id}/moves'({ params: { kind, id }, body: { event } }) {
      const name = nameOf(kind);
      const moves = lifecycles.movesOf(name, recordOf(kind, id));
      if (moves.length === 0) return refuse(recordRules.stateless, inPath('kind'), kind, { kind });
      if (!moves.some((move) => move.event === event)) {
        const events = [...new Set(moves.map((move) => move.event))];
        return refuse(recordRules.event, inBody('/event'), event, { kind, event, events });
      }
      const move = (): Promise<void> => lifecycles.moveRecord(name, id, event);
      const open = moves.find((one) => one.event === event && one.open);
      if (open && isUndoable(name)) {
        const says = `The ${store.definitions[name]?.words[0] ?? kind} ${id} was moved to ${open.to}.`;
        // An undo takes back all that follows from the move, at once or later: deleted people, saved products.
        await undo.editWorld({ code: 'record.moved', says }, (remember) => {
          remember();
          return move();
        });
      } else await move();
      // The work that belongs to a move may have removed the record.
      return toView(kind, recordOf(kind, id));
    },
    'GET /control/record-kinds': () => ({
      kinds: Object.entries(store.definitions).map(([name, { words, shownAt, names, open }]) => {
        const [one, many] = words;
        return { kind: toKind(name), one, many, shownAt, aboutPeople: names !== undefined, open };
      }),
    }),
    'GET /control/machines': () => ({ machines: Object.entries(lifecycleKinds).map(toMachine) }),
  };
}

function isUndoable(name: CollectionName): boolean {
  return name in lifecycleKinds && lifecycleKinds[name as StatefulName].undoable;
}

function toMachine([name, { table }]: [string, LifecycleKind]): MachinesView['machines'][number] {
  const { initial, states, rows } = table;
  return {
    kind: toKind(name),
    initial,
    states,
    rows: rows.map(({ source: { section, provenance }, after, from, event, to, by, why }) => ({
      from,
      event,
      to,
      by,
      why,
      section,
      provenance,
      ...(after && { after: after.name }),
    })),
  };
}

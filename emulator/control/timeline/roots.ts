/** Reads the causes of the timeline from data that is kept anyway: recorded requests, activities, and records. */
import { addToList } from '../../contract/add-to-list.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { Recorder } from '../../http/record/recorder.ts';
import type { Definitions, ToldAs } from '../../records/definition.ts';
import type { Change, Store } from '../../store/store.ts';
import { createSlices } from '../../time/slices.ts';
import type { Activities } from '../../world/activities.ts';
import type { Activity } from '../../world/activity.ts';
import type { LedBy } from '../../world/lineage.ts';
import type { TimelineKind } from '../contract/timeline.ts';
import { sortInSlices } from '../../time/sort-slices.ts';
import {
  compareRoots,
  followsWithinMs,
  isMade,
  isMoving,
  toRoot,
  type AttemptOf,
  type Caused,
  type Maker,
  type MovingRecord,
  type Root,
} from './root.ts';
import { createReturns, createSections, type Sections } from './sections.ts';

export interface RootSources {
  readonly store: Store;
  readonly recorder: Pick<Recorder, 'all'>;
  readonly lineage: Pick<LedBy, 'has'>;
  readonly activities: Pick<Activities, 'all'>;
}

/** The causes, newest first, and the maker of each delivery and message. */
export interface Roots {
  readonly all: readonly Root[];
  readonly makerOf: (id: string) => Maker | null;
  readonly sections: Sections;
}

/** Returns a function that reads the present causes in slices, so that requests are answered in between. */
export function createRoots(sources: RootSources): () => Promise<Roots> {
  const requests = new WeakMap<RecordedExchange, RequestFacts>();
  return () => collectRoots(sources, requests);
}

async function collectRoots(
  { store, recorder, lineage, activities }: RootSources,
  requests: Known['requests'],
): Promise<Roots> {
  const done = activities.all();
  const sections = createSections(done);
  const makers = new Map<string, Maker>();
  const known = {
    store,
    lineage,
    sections,
    requests,
    makers,
    moved: new Map(),
    movedByHand: new Set<string>(),
    returnsTo: createReturns(done),
  };
  const slice = createSlices(500);
  const roots: Root[] = [];
  // Requests and activities are read before records: they tell what made and moved each record.
  for (const found of [
    ofRequests(recorder.all(), known),
    ofActivities(done, known),
    ofDeliveries(known),
    ofMessages(known),
    ofMoves(known),
    ofNotices(known),
  ])
    for (const root of found) {
      if (root) roots.push(root);
      const turn = slice();
      if (turn) await turn;
    }
  return { all: await sortInSlices(roots, compareRoots), makerOf: (id) => makers.get(id) ?? null, sections };
}

/** The data that causes are found from. The functions below also yield null, for records that are not causes. */
interface Known {
  readonly store: Store;
  readonly lineage: Pick<LedBy, 'has'>;
  readonly sections: Sections;
  /** Facts read from requests before: a recorded request stays as it is. */
  readonly requests: WeakMap<RecordedExchange, RequestFacts>;
  /** The maker of each record, by the id of the record. */
  readonly makers: Map<string, Maker>;
  /** The requests that moved each record, by the id of the record, the latest last. */
  readonly moved: Map<string, Exchange[]>;
  readonly movedByHand: Set<string>;
  readonly returnsTo: ReturnType<typeof createReturns>;
}

/**
 * A request in the timeline. The facts are kept, because decoding the changes of all requests takes most of the time.
 */
interface RequestFacts {
  readonly root: Root;
  readonly maker: Maker;
  readonly caused: readonly Caused[];
}

const nothing: readonly Caused[] = [];

function toRequestFacts(exchange: RecordedExchange, definitions: Definitions): RequestFacts {
  const isMaker = exchange.touched.some(
    ({ collection, isNew }) => isMoving(definitions, collection) || (isNew && isMade(definitions, collection)),
  );
  const caused = isMaker ? exchange.changes.flatMap((change) => toCaused(change, definitions)) : nothing;
  return { root: toRequestRoot(exchange, caused, definitions), maker: { by: 'request', exchange }, caused };
}

function toCaused({ collection, id, before, after }: Change, definitions: Definitions): readonly Caused[] {
  if (isMoving(definitions, collection))
    return [{ collection, id, moves: (after as MovingRecord | null)?.history.length ?? 0 }];
  return before === null && isMade(definitions, collection) ? [{ collection, id, moves: null }] : nothing;
}

function* ofRequests(
  exchanges: readonly RecordedExchange[],
  { store: { definitions }, lineage, requests, makers, moved, returnsTo }: Known,
): Iterable<Root> {
  for (const exchange of exchanges) {
    let facts = requests.get(exchange);
    if (!facts) requests.set(exchange, (facts = toRequestFacts(exchange, definitions)));
    if (!lineage.has(exchange)) {
      const isTakenBack = exchange.touched.length > 0;
      const at = returnsTo(facts.root);
      yield toRoot({ ...facts.root, at, source: { what: 'request', exchange, caused: nothing, isTakenBack } });
      continue;
    }
    for (const { id, moves } of facts.caused)
      if (moves === null) makers.set(id, facts.maker);
      else addToList(moved, id, exchange);
    yield facts.root;
  }
}

function* ofActivities(
  activities: readonly Activity[],
  { store: { definitions }, makers, movedByHand, returnsTo }: Known,
): Iterable<Root> {
  for (const activity of activities) {
    for (const { collection, id, isNew } of activity.isTakenBack ? [] : activity.touched) {
      if (isNew && !makers.has(id)) makers.set(id, { by: 'activity', activity });
      if (isMoving(definitions, collection)) movedByHand.add(id);
    }
    const root = toActivityRoot(activity, definitions);
    yield activity.isTakenBack ? toRoot({ ...root, at: returnsTo(root) }) : root;
  }
}

/** Deliveries whose maker is not known, and further attempts that are entries of their own. */
function* ofDeliveries({ store, sections, makers }: Known): Iterable<Root | null> {
  /** Attempts while the clock moved, by the move and the receiver. */
  const retries = new Map<string, { readonly section: string; readonly attempts: AttemptOf[] }>();
  // This list is a copy: deliveries may be added while requests are answered in between.
  for (const delivery of store.deliveries.records()) {
    const { id, companyId, createdAt, url, state, attempts, attemptCount } = delivery;
    const cause = makers.get(id) ?? null;
    const kinds = ['delivery'] as const;
    if (cause) yield null;
    else {
      const at = Date.parse(createdAt);
      const source = { what: 'delivery', delivery } as const;
      const section = sections.at(at);
      yield toRoot({ id, at, kinds, companyId, section, failed: state === 'failed', source });
    }
    for (const [index, { at: iso, wallAt, error }] of attempts.entries()) {
      const number = attemptCount - attempts.length + index + 1;
      if (number === 1) continue;
      const at = Date.parse(iso);
      const wall = Date.parse(wallAt);
      const section = sections.atWall(wall);
      if (section !== null) {
        const key = `${section}:${url}`;
        const known = retries.get(key) ?? { section, attempts: [] };
        known.attempts.push({ delivery, index });
        retries.set(key, known);
      } else if (at - Date.parse(createdAt) > followsWithinMs) {
        const source = { what: 'attempt', delivery, index } as const;
        yield toRoot({ id: `${id}:${number}`, at, wall, kinds, companyId, cause, failed: error !== null, source });
      }
    }
  }
  for (const [id, { section, attempts }] of retries) yield toRetriesRoot(id, section, attempts);
}

function toRetriesRoot(id: string, section: string, attempts: readonly AttemptOf[]): Root {
  const [first] = attempts as readonly [AttemptOf];
  const { companyId, url } = first.delivery;
  const each = attempts.flatMap(({ delivery, index }) => delivery.attempts[index] ?? []);
  return toRoot({
    id,
    at: each.reduce((latest, { at }) => Math.max(latest, Date.parse(at)), -Infinity),
    kinds: ['delivery'],
    companyId,
    section,
    failed: each.some(({ error }) => error !== null),
    source: { what: 'retries', url, attempts },
  });
}

function* ofMessages({ store, sections, makers }: Known): Iterable<Root | null> {
  for (const message of store.messages.records()) {
    const { id, companyId, direction, sentAt } = message;
    if (makers.has(id)) {
      yield null;
      continue;
    }
    const at = Date.parse(sentAt);
    const kinds = [direction === 'in' ? 'person' : 'message'] as const;
    const source = { what: 'message', message } as const;
    yield toRoot({ id, at, kinds, companyId, section: sections.at(at), source });
  }
}

/** Moves that are not told with the request that led to them, or with an activity. */
function* ofMoves({ store, sections, moved, movedByHand }: Known): Iterable<Root | null> {
  for (const of of store.names.filter((name) => isMoving(store.definitions, name)))
    for (const record of store.collection(of).records() as readonly MovingRecord[])
      for (const [index, move] of record.history.entries()) {
        const at = Date.parse(move.at);
        const section = sections.at(at);
        const exchange = moved.get(record.id)?.findLast((one) => one.at <= at);
        const isOwn = move.by === 'clock' || move.by === 'work';
        const isTold = isOwn ? exchange && section === null && at - exchange.at <= followsWithinMs : exchange;
        // A record made or moved by hand has an activity of its own, or came with the demo world.
        const isByHand = move.by === 'hand' && (move.from === null || movedByHand.has(record.id));
        yield isTold || isByHand
          ? null
          : toRoot({
              id: `${record.id}:${index}`,
              at,
              kinds: ['change'],
              companyId: record.companyId,
              section,
              cause: exchange ? { by: 'request', exchange } : null,
              source: { what: 'move', of, record, index },
            });
      }
}

function* ofNotices({ store, sections }: Known): Iterable<Root> {
  for (const notice of store.platformNotices.records()) {
    const { id, companyId, level } = notice;
    const at = Date.parse(notice.at);
    const source = { what: 'notice', notice } as const;
    const section = sections.at(at);
    yield toRoot({ id, at, kinds: ['change'], companyId, section, failed: level !== 'info', source });
  }
}

const own = ['delivery', 'message'] as const;

/** The ways in which the touched records are told in the timeline, each once. */
function toldKinds(definitions: Definitions, touched: readonly { readonly collection: string }[]): Set<ToldAs> {
  return new Set(touched.map(({ collection }) => definitions[collection]?.toldAs ?? null));
}

function toRequestRoot(exchange: RecordedExchange, caused: readonly Caused[], definitions: Definitions): Root {
  const { id, at, wallAt, companyId, touched, fault, url, status, refusedBy, failure } = exchange;
  const kinds: TimelineKind[] = ['request'];
  const made = toldKinds(
    definitions,
    touched.filter(({ isNew }) => isNew),
  );
  if (toldKinds(definitions, touched).has('change')) kinds.push('change');
  kinds.push(...own.filter((kind) => made.has(kind)));
  // A short link was followed.
  if (url.startsWith('/l/')) kinds.push('person');
  if (fault) kinds.push('fault');
  const failed = refusedBy !== null || failure !== null || (status ?? 0) >= 400;
  const source = { what: 'request', exchange, caused, isTakenBack: false } as const;
  return toRoot({ id, at, wall: wallAt, kinds, companyId, failed, source });
}

function toActivityRoot(activity: Activity, definitions: Definitions): Root {
  const { id, at, wallAt, kind, companyId, touched, move } = activity;
  const told = toldKinds(definitions, touched);
  const kinds: TimelineKind[] = [kind];
  if (kind === 'person' && told.has('change')) kinds.push('change');
  kinds.push(...own.filter((one) => told.has(one)));
  const source = { what: 'activity', activity } as const;
  return toRoot({ id, at, wall: move?.endedAt ?? wallAt, kinds, companyId, source });
}

/** The causes of the timeline, before anything of them is put into words. */
import type { Exchange } from '../../http/exchange.ts';
import type { RecordedExchange } from '../../http/recorded-exchange.ts';
import type { Recorder } from '../../http/recorder.ts';
import type { AnyMoved, CollectionName, Delivery, Message, Notice, StoredRecord } from '../../records.ts';
import type { Definitions, ToldAs } from '../../records/definition.ts';
import type { Store } from '../../store/store.ts';
import { createSlices } from '../../time/slices.ts';
import type { Activities, Activity } from '../../world/activities.ts';
import { addToList } from '../add-to-list.ts';
import type { TimelineKind } from '../contract/timeline.ts';
import { sortInSlices } from '../../time/sort-slices.ts';
import { createSections, type Sections } from './sections.ts';

export type MovingRecord = StoredRecord & { readonly companyId: string; readonly history: readonly AnyMoved[] };

/** What made a record: a recorded request, or something done by hand. */
export type Maker =
  { readonly by: 'request'; readonly exchange: Exchange } | { readonly by: 'activity'; readonly activity: Activity };

/** An attempt of a delivery, by its place in the list of those that are kept. */
export interface AttemptOf {
  readonly delivery: Delivery;
  readonly index: number;
}

/** A move of a record, by its place in the history. */
export interface MoveOf {
  readonly of: CollectionName;
  readonly record: MovingRecord;
  readonly index: number;
}

export type Source =
  | { readonly what: 'request'; readonly exchange: RecordedExchange }
  | { readonly what: 'activity'; readonly activity: Activity }
  | { readonly what: 'delivery'; readonly delivery: Delivery }
  | ({ readonly what: 'attempt' } & AttemptOf)
  | { readonly what: 'retries'; readonly url: string; readonly attempts: AttemptOf[] }
  | { readonly what: 'message'; readonly message: Message }
  | ({ readonly what: 'move' } & MoveOf)
  | { readonly what: 'notice'; readonly notice: Notice };

/** One cause. `at` in virtual epoch ms; `wall` in real epoch ms, 0 if it is not known. */
export interface Root {
  readonly id: string;
  at: number;
  readonly wall: number;
  readonly kinds: readonly TimelineKind[];
  readonly companyId: string | null;
  /** The move of the clock in which it happened. */
  readonly section: string | null;
  readonly cause: Maker | null;
  failed: boolean;
  readonly source: Source;
}

/** What happens later than this after its cause is an entry of its own. */
export const followsWithinMs = 60_000;

export interface RootSources {
  readonly store: Store;
  readonly recorder: Pick<Recorder, 'all'>;
  readonly activities: Pick<Activities, 'all'>;
}

/** Newest first: the causes, and what made each delivery and message. */
export interface Roots {
  readonly all: readonly Root[];
  readonly makerOf: (id: string) => Maker | null;
  readonly sections: Sections;
}

/** The order of the timeline: newest first on the virtual clock, then on the wall clock. */
export function compareRoots(one: Pick<Root, 'at' | 'wall' | 'id'>, other: Pick<Root, 'at' | 'wall' | 'id'>): number {
  return other.at - one.at || other.wall - one.wall || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

/** Reads everything once, in slices, so that requests are answered in between. */
export async function collectRoots({ store, recorder, activities }: RootSources): Promise<Roots> {
  const { definitions } = store;
  const slice = createSlices(500);
  const done = activities.all();
  const sections = createSections(done);
  const makers = new Map<string, Maker>();
  const moved = new Map<string, Exchange[]>();
  const movedByHand = new Set<string>();
  const roots: Root[] = [];

  for (const exchange of recorder.all()) {
    const maker: Maker = { by: 'request', exchange };
    // Decoding the changes of all requests would take longer than all the rest.
    const isMaker = exchange.touched.some(
      ({ collection, isNew }) => isMoving(definitions, collection) || (isNew && isMade(definitions, collection)),
    );
    for (const { collection, id, before } of isMaker ? exchange.changes : []) {
      if (isMade(definitions, collection)) {
        if (before === null) makers.set(id, maker);
      } else if (isMoving(definitions, collection)) addToList(moved, id, exchange);
    }
    roots.push(toRequestRoot(exchange, definitions));
    const turn = slice();
    if (turn) await turn;
  }
  for (const activity of done) {
    for (const { collection, id, isNew } of activity.touched) {
      if (isNew && !makers.has(id)) makers.set(id, { by: 'activity', activity });
      if (isMoving(definitions, collection)) movedByHand.add(id);
    }
    roots.push(toActivityRoot(activity, definitions));
  }

  const makerOf = (id: string): Maker | null => makers.get(id) ?? null;
  const retries = new Map<string, Root & { readonly source: { readonly what: 'retries' } }>();
  // A copy: others may come while requests are answered in between.
  const deliveries = store.deliveries.records();
  for (const delivery of deliveries) {
    const { id, companyId, createdAt, url, state, attempts, attemptCount } = delivery;
    const created = Date.parse(createdAt);
    const cause = makerOf(id);
    const base = { kinds: ['delivery'], companyId, wall: 0 } as const;
    const source = { what: 'delivery', delivery } as const;
    if (cause === null)
      roots.push({
        ...base,
        id,
        at: created,
        section: sections.at(created),
        cause,
        failed: state === 'failed',
        source,
      });
    for (let index = attemptCount === attempts.length ? 1 : 0; index < attempts.length; index++) {
      const attempt = attempts[index];
      if (!attempt) continue;
      const at = Date.parse(attempt.at);
      const wall = Date.parse(attempt.wallAt);
      const section = sections.atWall(wall);
      const failed = attempt.error !== null;
      if (section !== null) {
        const key = `${section}:${url}`;
        const known = retries.get(key);
        if (known) {
          known.source.attempts.push({ delivery, index });
          known.at = Math.max(known.at, at);
          known.failed ||= failed;
        } else {
          const made: Root & { source: { what: 'retries' } } = {
            ...base,
            id: key,
            at,
            section,
            cause: null,
            failed,
            source: { what: 'retries', url, attempts: [{ delivery, index }] },
          };
          retries.set(key, made);
          roots.push(made);
        }
      } else if (at - created > followsWithinMs)
        roots.push({
          ...base,
          id: `${id}:${attemptCount - attempts.length + index + 1}`,
          at,
          wall,
          section,
          cause,
          failed,
          source: { what: 'attempt', delivery, index },
        });
    }
    const turn = slice();
    if (turn) await turn;
  }

  for (const message of store.messages.all()) {
    if (makers.has(message.id)) continue;
    const at = Date.parse(message.sentAt);
    const kinds = [message.direction === 'in' ? 'person' : 'message'] as const;
    roots.push({
      id: message.id,
      at,
      wall: 0,
      kinds,
      companyId: message.companyId,
      section: sections.at(at),
      cause: null,
      failed: false,
      source: { what: 'message', message },
    });
  }

  for (const of of store.names.filter((name) => isMoving(definitions, name)))
    for (const record of store.collection(of).all() as Iterable<MovingRecord>)
      record.history.forEach((move, index) => {
        const at = Date.parse(move.at);
        const section = sections.at(at);
        const cause = moved.get(record.id)?.findLast((exchange) => exchange.at <= at) ?? null;
        const isOwn = move.by === 'clock' || move.by === 'work';
        if (isOwn ? cause && section === null && at - cause.at <= followsWithinMs : cause !== null) return;
        // What was made by hand has an activity of its own, or came with the demo world.
        if (move.by === 'hand' && (move.from === null || movedByHand.has(record.id))) return;
        roots.push({
          id: `${record.id}:${index}`,
          at,
          wall: 0,
          kinds: ['change'],
          companyId: record.companyId,
          section,
          cause: cause && { by: 'request', exchange: cause },
          failed: false,
          source: { what: 'move', of, record, index },
        });
      });

  for (const notice of store.platformNotices.all()) {
    const at = Date.parse(notice.at);
    const { id, companyId, level } = notice;
    const section = sections.at(at);
    const source = { what: 'notice', notice } as const;
    roots.push({
      id,
      at,
      wall: 0,
      kinds: ['change'],
      companyId,
      section,
      cause: null,
      failed: level !== 'info',
      source,
    });
  }
  return { all: await sortInSlices(roots, compareRoots), makerOf, sections };
}

/** Whether its records are entries of their own, which belong to what made them. */
export function isMade(definitions: Definitions, collection: string): boolean {
  const told = definitions[collection]?.toldAs ?? null;
  return told !== null && told !== 'change';
}

/** Whether the moves of its records are told; what is an entry of its own shows its state there. */
export function isMoving(definitions: Definitions, collection: string): boolean {
  const definition = definitions[collection];
  return definition?.toldAs === 'change' && definition.states.length > 0;
}

const own = ['delivery', 'message'] as const;

/** What the touched records are in the timeline, each kind once. */
function toldKinds(definitions: Definitions, touched: readonly { readonly collection: string }[]): Set<ToldAs> {
  return new Set(touched.map(({ collection }) => definitions[collection]?.toldAs ?? null));
}

function toRequestRoot(exchange: RecordedExchange, definitions: Definitions): Root {
  const { id, at, wallAt, companyId, touched, fault, url, status, refusal, failure } = exchange;
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
  const failed = refusal !== null || failure !== null || (status ?? 0) >= 400;
  const source = { what: 'request', exchange } as const;
  return { id, at, wall: wallAt, kinds, companyId, section: null, cause: null, failed, source };
}

function toActivityRoot(activity: Activity, definitions: Definitions): Root {
  const { id, at, wallAt, kind, companyId, touched, move } = activity;
  const told = toldKinds(definitions, touched);
  const kinds: TimelineKind[] = [kind];
  if (kind === 'person' && told.has('change')) kinds.push('change');
  kinds.push(...own.filter((one) => told.has(one)));
  const source = { what: 'activity', activity } as const;
  return { id, at, wall: move?.endedAt ?? wallAt, kinds, companyId, section: null, cause: null, failed: false, source };
}

/** A cause with the entries that followed it. */
import { toAmount } from '../../contract/digits.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { Recorder } from '../../http/record/recorder.ts';
import type { CollectionName, Delivery, Message } from '../../records.ts';
import { byTime, toIso } from '../../time/duration.ts';
import type { Definitions } from '../../records/definition.ts';
import type { Store } from '../../store/store.ts';
import type { Activities } from '../../world/activities.ts';
import type { Activity, ClockMove } from '../../world/activity.ts';
import type { Tally } from '../../world/tally.ts';
import { madeBy } from '../delivery-views.ts';
import { callsOf, tieOf } from '../requests/chain.ts';
import { whileHeld } from '../requests/read-each.ts';
import type { TimelineEntryView, TimelineGroupView, TimelineKind } from '../contract/timeline.ts';
import {
  toActivityEntry,
  toAttemptEntry,
  toDeliveryEntry,
  toMessageEntry,
  toMoveEntry,
  toName,
  toNoticeEntry,
  toRequestEntry,
  toRetriesEntry,
  toTapEntries,
} from './entries.ts';
import { toCursor } from './cursor.ts';
import { followsWithinMs, isMade, isMoving, type Caused, type Maker, type MovingRecord, type Root } from './root.ts';
import type { Roots } from './roots.ts';

type Entry = TimelineEntryView;

export interface GroupSources {
  readonly store: Store;
  readonly recorder: Pick<Recorder, 'all'>;
  readonly roots: Roots;
  readonly activities: Pick<Activities, 'editOf'>;
}

const shownFollowers = 30;
const mostFollowers = 2_000;

/** A cause with everything that followed it, at any later time, and what may have followed. */
export async function toWholeGroup(root: Root, sources: GroupSources): Promise<TimelineGroupView> {
  const { source } = root;
  if (source.what !== 'request') return toGroup(root, sources, { handler: null, calls: [] });
  const { exchange } = source;
  const later = sources.recorder.all().filter(({ sequence }) => sequence > exchange.sequence);
  return whileHeld([exchange, ...later], async () =>
    toGroup(root, sources, {
      handler: root.cause ? null : await handlerOf(exchange, sources),
      calls: source.isTakenBack ? [] : await callsOfHandlers(exchange, later, sources),
    }),
  );
}

/**
 * The parts of a group that take long to find: what led to its request, and what the handlers of its deliveries called.
 */
interface Whole {
  readonly handler: TimelineGroupView['cause'];
  readonly calls: readonly Entry[];
}

/** @param whole for a group with everything that followed, at any later time; null for a short one */
export function toGroup(root: Root, sources: GroupSources, whole: Whole | null = null): TimelineGroupView {
  const followers = toFollowers(root, sources, whole).slice(0, mostFollowers);
  const { source } = root;
  const activity = source.what === 'activity' ? source.activity : null;
  return {
    ...toOwnEntry(root, sources.store),
    cursor: toCursor(root),
    kinds: root.kinds,
    section: root.section,
    cause: root.cause ? toCause(root.cause) : (whole?.handler ?? null),
    edit: activity ? sources.activities.editOf(activity) : null,
    isTakenBack: source.what === 'request' ? source.isTakenBack : (activity?.isTakenBack ?? false),
    move: activity?.move ? toMove(activity.move, activity.wallAt, sources.store) : null,
    followers: whole ? followers : followers.slice(0, shownFollowers),
    followerCount: followers.length,
  };
}

/** The sentence of the cause alone. */
export function toOwnEntry({ id, at, source }: Root, store: Store): Entry {
  switch (source.what) {
    case 'request':
      return toRequestEntry(source.exchange, store, source.isTakenBack);
    case 'activity':
      return toActivityEntry(source.activity, store);
    case 'delivery':
      return toDeliveryEntry(source.delivery);
    case 'attempt':
      return toAttemptEntry(source);
    case 'retries':
      return toRetriesEntry(id, at, source.url, source.attempts);
    case 'message':
      return toMessageEntry(source.message);
    case 'move':
      return toMoveEntry(source, store.definitions);
    case 'notice':
      return toNoticeEntry(source.notice);
  }
}

/** The entries that followed a cause, as far as its group shows them. */
export const toShownFollowers = (root: Root, sources: GroupSources): readonly Entry[] =>
  toFollowers(root, sources, null);

function toCause(maker: Maker): { readonly id: string; readonly says: string } {
  return maker.by === 'request'
    ? { id: maker.exchange.id, says: toName(maker.exchange) }
    : { id: maker.activity.id, says: maker.activity.says };
}

/** The request that led to the delivery whose handler sent this request, if the handler passed on a proof. */
async function handlerOf(exchange: Exchange, { store, roots }: GroupSources): Promise<TimelineGroupView['cause']> {
  const tie = await tieOf(exchange, store.deliveries.records());
  if (tie?.kind !== 'header') return null;
  const maker = roots.makerOf(tie.delivery.id);
  return maker ? toCause(maker) : { id: tie.delivery.id, says: `${tie.delivery.type} to ${tie.delivery.url}` };
}

function toFollowers(root: Root, sources: GroupSources, whole: Whole | null): readonly Entry[] {
  const { source } = root;
  switch (source.what) {
    case 'request':
      return ofRequest(source, sources, whole);
    case 'activity':
      return ofActivity(source.activity, sources, whole !== null);
    case 'retries':
      return inOrder(source.attempts.map(toAttemptEntry));
    case 'delivery':
      return whole ? source.delivery.attempts.map((_, index) => toAttemptEntry({ ...source, index })) : [];
    case 'message':
      return toTapEntries(source.message);
    case 'attempt':
    case 'move':
    case 'notice':
      return [];
  }
}

function ofRequest(
  { exchange, caused }: { readonly exchange: Exchange; readonly caused: readonly Caused[] },
  sources: GroupSources,
  whole: Whole | null,
): readonly Entry[] {
  const entries = caused.flatMap(({ collection, id, moves }) =>
    moves === null
      ? ofMade(collection, id, sources.store, whole !== null)
      : ofRecord(collection, id, { from: moves, since: exchange.at, sources, whole: whole !== null }),
  );
  return [...inOrder(entries), ...(whole?.calls ?? [])];
}

function ofActivity(activity: Activity, sources: GroupSources, whole: boolean): readonly Entry[] {
  // The ids of what was taken back may be those of other records.
  if (activity.isTakenBack) return [];
  const entries = activity.touched.flatMap(({ collection, id, isNew }): readonly Entry[] => {
    const { definitions } = sources.store;
    if (isMoving(definitions, collection))
      return ofRecord(collection, id, { from: 0, since: activity.at, sources, whole });
    // What a person wrote is told by the activity itself.
    const isOwn = collection === 'messages' && sources.store.messages.get(id)?.direction === 'in';
    if (isOwn) return [];
    // A delivery that was sent again is told like a new one.
    return isNew || definitions[collection]?.toldAs === 'delivery' ? ofMade(collection, id, sources.store, whole) : [];
  });
  return inOrder(entries);
}

/** A delivery or message that was made; with its attempts or taps if `whole`. */
function ofMade(collection: CollectionName, id: string, store: Store, whole: boolean): readonly Entry[] {
  const record = isMade(store.definitions, collection) ? store.collection(collection).get(id) : undefined;
  if (!record) return [];
  if (store.definitions[collection]?.toldAs === 'delivery') {
    const delivery = record as Delivery;
    const { attempts } = delivery;
    const each = whole && attempts.length > 1 ? attempts.map((_, index) => toAttemptEntry({ delivery, index })) : [];
    return [toDeliveryEntry(delivery), ...each];
  }
  const message = record as Message;
  return [toMessageEntry(message), ...(whole ? toTapEntries(message) : [])];
}

/** The later moves of a record. */
function ofRecord(
  of: CollectionName,
  id: string,
  { from, since, sources, whole }: { from: number; since: number; sources: GroupSources; whole: boolean },
): readonly Entry[] {
  const { store, roots } = sources;
  const record = store.collection(of).get(id) as MovingRecord | undefined;
  return (record?.history ?? []).flatMap(({ at }, index) => {
    const time = Date.parse(at);
    if (!record || index < from || time < since) return [];
    if (!whole && (time - since > followsWithinMs || roots.sections.at(time) !== null)) return [];
    return [toMoveEntry({ of, record, index }, store.definitions)];
  });
}

/** The calls of the handlers of a request's deliveries: proven, or close in time. */
async function callsOfHandlers(
  exchange: Exchange,
  later: readonly RecordedExchange[],
  { store }: GroupSources,
): Promise<readonly Entry[]> {
  const made = [...madeBy(exchange)].flatMap((id) => store.deliveries.get(id) ?? []);
  if (made.length === 0) return [];
  const deliveries = store.deliveries.records().filter(({ companyId }) => companyId === exchange.companyId);
  const calls = await callsOf(made, later, deliveries, 10);
  const entries = made.flatMap((delivery) =>
    (calls.get(delivery.id) ?? []).map(({ exchange: call, tie }): Entry => {
      const entry = toRequestEntry(call, store);
      const isCertain = tie.kind === 'header';
      const note = isCertain ? `sent by the receiver of ${delivery.type}` : 'close in time, not proven';
      return { ...entry, note, isCertain };
    }),
  );
  return entries.sort((one, other) => Number(other.isCertain) - Number(one.isCertain));
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const rank = ({ kind }: Entry): number => (kind === 'message' ? 0 : 1);
  return entries.toSorted((one, other) => byTime(one.at, other.at) || rank(one) - rank(other));
}

function toMove(
  { from, to, stopped, endedAt, tally }: ClockMove,
  wallAt: number,
  { definitions }: Store,
): TimelineGroupView['move'] {
  const result = toResult(tally, definitions);
  return { from: toIso(from), to: toIso(to), stopped, tookMs: endedAt - wallAt, result };
}

function toResult(
  tally: Tally,
  definitions: Definitions,
): readonly { readonly says: string; readonly kind: TimelineKind }[] {
  // A data folder may have moves that were stored before states were counted.
  const { retries, receivers, givenUp, disabled, moved = {}, messages } = tally;
  const part = (count: number, kind: TimelineKind, says: string) => (count === 0 ? [] : [{ says, kind }]);
  const to = toAmount(receivers, 'receiver');
  return [
    ...part(retries, 'delivery', `${toAmount(retries, 'retry', 'retries')} to ${to}`),
    ...part(givenUp, 'delivery', `${toAmount(givenUp, 'delivery', 'deliveries')} given up`),
    ...part(disabled, 'change', `${toAmount(disabled, 'webhook')} disabled`),
    ...Object.entries(moved).flatMap(([name, states]) => {
      const [one, many] = definitions[name]?.words ?? [name, name];
      return Object.entries(states).flatMap(([state, count]) =>
        part(count, 'change', `${toAmount(count, one, many)} ${count === 1 ? 'is' : 'are'} ${state}`),
      );
    }),
    ...part(messages, 'message', `${toAmount(messages, 'message')} sent`),
  ];
}

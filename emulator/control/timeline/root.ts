/** A cause of the timeline, before it is put into words. */
import type { Exchange } from '../../http/record/exchange.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { AnyMoved, CollectionName, Delivery, Message, Notice, StoredRecord } from '../../records.ts';
import type { Definitions } from '../../records/definition.ts';
import type { Activity } from '../../world/activity.ts';
import type { TimelineKind } from '../contract/timeline.ts';

export type MovingRecord = StoredRecord & { readonly companyId: string; readonly history: readonly AnyMoved[] };

/** The maker of a record: a recorded request, or something done by hand. */
export type Maker =
  { readonly by: 'request'; readonly exchange: Exchange } | { readonly by: 'activity'; readonly activity: Activity };

/** An attempt of a delivery, by its index in the list of stored attempts. */
export interface AttemptOf {
  readonly delivery: Delivery;
  readonly index: number;
}

/** A move of a record, by its index in the history. */
export interface MoveOf {
  readonly of: CollectionName;
  readonly record: MovingRecord;
  readonly index: number;
}

/** A record that a request created or moved, kept so that the request is not decoded again. */
export interface Caused {
  readonly collection: CollectionName;
  readonly id: string;
  /** The number of moves that a moved record had after the request; null for a created record. */
  readonly moves: number | null;
}

export type Source =
  | {
      readonly what: 'request';
      readonly exchange: RecordedExchange;
      readonly caused: readonly Caused[];
      /** Whether it changed something, and that was taken back. */
      readonly isTakenBack: boolean;
    }
  | { readonly what: 'activity'; readonly activity: Activity }
  | { readonly what: 'delivery'; readonly delivery: Delivery }
  | ({ readonly what: 'attempt' } & AttemptOf)
  | { readonly what: 'retries'; readonly url: string; readonly attempts: readonly AttemptOf[] }
  | { readonly what: 'message'; readonly message: Message }
  | ({ readonly what: 'move' } & MoveOf)
  | { readonly what: 'notice'; readonly notice: Notice };

/**
 * One cause. `at` in virtual epoch ms, for its place: what was taken back is not above what happened after that. `wall`
 * in real epoch ms, 0 if it is not known.
 */
export interface Root {
  readonly id: string;
  readonly at: number;
  readonly wall: number;
  readonly kinds: readonly TimelineKind[];
  readonly companyId: string | null;
  /** The id of the clock's move in which it happened. */
  readonly section: string | null;
  readonly cause: Maker | null;
  readonly failed: boolean;
  readonly source: Source;
}

/** Effects that come later than this after their cause are entries of their own. */
export const followsWithinMs = 60_000;

/** The order of the timeline: newest first on the virtual clock, then on the wall clock. */
export function compareRoots(one: Pick<Root, 'at' | 'wall' | 'id'>, other: Pick<Root, 'at' | 'wall' | 'id'>): number {
  return other.at - one.at || other.wall - one.wall || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

type Given = Pick<Root, 'id' | 'at' | 'kinds' | 'companyId' | 'source'> & Partial<Root>;

/**
 * Creates a cause. Each field is named: after a spread, V8 gives each object its own shape, which takes a third of a
 * KB.
 */
export function toRoot(given: Given): Root {
  const { id, at, wall = 0, kinds, companyId, section = null, cause = null, failed = false, source } = given;
  return { id, at, wall, kinds, companyId, section, cause, failed, source };
}

/** Whether the records of a collection are entries of their own, which belong to their maker. */
export function isMade(definitions: Definitions, collection: string): boolean {
  const told = definitions[collection]?.toldAs ?? null;
  return told !== null && told !== 'change';
}

/** Whether the moves of a collection's records are told. A record that is an entry of its own shows its state there. */
export function isMoving(definitions: Definitions, collection: string): boolean {
  const definition = definitions[collection];
  return definition?.toldAs === 'change' && definition.states.length > 0;
}

import type { CollectionName } from '../records.ts';
import type { Tally } from './tally.ts';

export type ActivityKind = 'clock' | 'edit' | 'person' | 'fault';

/** A record that an activity made or changed. */
export interface Touched {
  readonly collection: CollectionName;
  readonly id: string;
  readonly isNew: boolean;
}

/** A move of the clock. Times are virtual epoch ms, except `endedAt`, which is from the wall clock. */
export interface ClockMove {
  readonly from: number;
  readonly to: number;
  readonly endedAt: number;
  readonly stopped: boolean;
  /** The counts of what happened in the time that passed. */
  readonly tally: Tally;
}

/** The effects of a reply or an unsubscribe of a person, which no record keeps together. */
export interface TapEffects {
  readonly messageId: string;
  readonly did: readonly string[];
  readonly published: readonly string[];
  readonly impliedBy: 'specification' | 'observed' | 'assumed';
  readonly says: string;
}

export interface Activity {
  readonly id: string;
  /** The time on the virtual clock (after the move, for a move of the clock); `wallAt`: on the wall clock. Epoch ms. */
  readonly at: number;
  readonly wallAt: number;
  readonly kind: ActivityKind;
  /** The activity as a sentence. */
  readonly says: string;
  /**
   * The person who did it, or to whom it was done; null if it is about no person. `name` is their name in `says`, and
   * `from` its position there. Earlier versions did not keep the position.
   */
  readonly person: { readonly id: string; readonly name: string; readonly from?: number } | null;
  /** The company it is about; null for all of them. */
  readonly companyId: string | null;
  readonly touched: readonly Touched[];
  readonly move: ClockMove | null;
  /**
   * Whether it replaced everything by another state, as the undo of an advance does; `at` is then the time of that
   * state. Earlier versions did not keep this.
   */
  readonly hasReplaced?: boolean;
  /** Only of a reply and an unsubscribe. Earlier versions did not keep it. */
  readonly tap?: TapEffects;
  /** Whether it was undone since. */
  readonly isTakenBack: boolean;
}

/** The shapes of snapshots and resets that the control API takes and returns unchanged. */
import { described, integer, object, oneOf, text, time, type View } from '../contract/shape.ts';

/**
 * `replace`: everything else is removed. `merge`: records of the snapshot replace those with the same id, and all
 * others stay. In a merge, people with a common address or identifier become one, with the newer of each subscription
 * and attribute; an offer gets the codes of both states.
 */
export const restoreMode = oneOf('replace', 'merge');
export type RestoreMode = View<typeof restoreMode>;

/** A kept snapshot. */
export const snapshotLine = object({
  name: text,
  bytes: integer,
  records: integer,
  format: integer,
  version: text,
  savedAt: described('The time on the virtual clock.', time),
  wallAt: time,
});
export type SnapshotLine = View<typeof snapshotLine>;

/** How many deliveries and webhooks of an imported state were held back. */
export const heldBack = object({
  deliveries: described('The number of waiting deliveries that were paused; each can be resumed by hand.', integer),
  webhooks: described('The number of webhooks that reached other machines, and now reach only this one.', integer),
});
export type HeldBack = View<typeof heldBack>;

/** `start`: the declared world of the start, read again; the demo world if none is declared. */
export const freshWorld = oneOf('start', 'demo', 'empty');
export type FreshWorld = View<typeof freshWorld>;

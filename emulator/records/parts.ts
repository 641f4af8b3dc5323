/** The parts that several kinds of records are made of. */
import { provenances } from '../contract/schema.ts';
import { boolean, described, list, nullable, object, oneOf, text, time } from '../contract/shape.ts';

/** The id of every record. */
export const id = { type: 'string', minLength: 1, maxLength: 500 } as const;

/** The first fields of every record of a company. */
export const owned = { id, companyId: text } as const;

export const mover = described(
  'The cause of a move: an API call, the clock, the developer’s hand, or work that finished.',
  oneOf('call', 'clock', 'hand', 'work'),
);

/** The source of a row in a table of states. */
export const source = object({ provenance: oneOf(...provenances), section: text });

/** The effect that one event would have on a record. */
export const move = object({
  event: text,
  to: text,
  open: described(
    'Whether the move can be made by hand now; `why` says what the move means, or why it cannot.',
    boolean,
  ),
  why: text,
  by: list(mover),
  dueAt: described('The time at which the clock makes the move; null if it does not.', nullable(time)),
  source,
});

/** The shape of one line of a record's history, with these states. */
export function toMovedShape<const State extends object>(state: State) {
  return object({
    from: described('The state before; null for the entry that created the record.', nullable(state)),
    event: text,
    to: state,
    by: mover,
    at: time,
    why: text,
  });
}

/** The fields of a record that moves through these states (see machine/). */
export function stateful<const State extends object>(state: State) {
  return {
    state,
    enteredAt: described('The time at which the current state began.', time),
    history: described('The moves so far, oldest first.', list(toMovedShape(state))),
  } as const;
}

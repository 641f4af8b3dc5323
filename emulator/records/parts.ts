/** The parts that several kinds of records are made of. */
import { described, list, nullable, object, oneOf, text, time } from '../contract/shape.ts';

/** Of every record. */
export const id = { type: 'string', minLength: 1, maxLength: 500 } as const;

/** Of every record of a company. */
export const owned = { id, companyId: text } as const;

export const mover = described(
  'An API call, the clock, the developer’s hand, or work that finished.',
  oneOf('call', 'clock', 'hand', 'work'),
);

/** One line of a record's history, of these states. */
export function toMovedShape<const State extends object>(state: State) {
  return object({
    from: described('Null for the entry that created it.', nullable(state)),
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
    enteredAt: described('When the current state began.', time),
    history: described('Oldest first.', list(toMovedShape(state))),
  } as const;
}

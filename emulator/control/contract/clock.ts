import {
  boolean,
  described,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { paces } from '../../time/pace.ts';
import type { CallTable } from '../call.ts';
import { undoable } from './snapshots.ts';

export const pace = oneOf(...paces);

export const clockMode = oneOf('real', 'virtual', 'frozen');

/**
 * A timer of the clock, pending or fired. `kind` and `id` name the record that it moves; they are null if there is
 * none.
 */
const due = object({
  label: text,
  says: described('The same as a person reads it: `Retry of sms.subscribed`.', text),
  at: described('On the virtual clock.', time),
  kind: nullable(text),
  id: nullable(text),
});
export type DueView = View<typeof due>;

/** A running jump of the clock. */
export const jump = object({
  from: time,
  to: time,
  now: described('How far it is.', time),
  fired: described('How many things fell due so far.', integer),
  left: described('How many are known to fall due before its end; each may bring others.', integer),
});
export type JumpView = View<typeof jump>;

const clock = object({
  mode: clockMode,
  now: time,
  wall: time,
  offsetMs: described('Virtual less real time.', number),
  offset: described('The same as a duration such as `30d`.', text),
  rate: described('Virtual ms per real ms.', number),
  frozenAt: nullable(time),
  pace,
  jump: described('The running advance or set; null if there is none.', nullable(jump)),
  upcoming: described('The next hundred of what waits for time, in due order.', list(due)),
  upcomingCount: integer,
  rewind: described('The change before which `{rewind: true}` goes back.', nullable(undoable)),
});
export type ClockView = View<typeof clock>;

/** The answer to a change of the clock. */
const clockChange = object({
  ...clock.properties,
  stopped: described('It was stopped, so `now` is the time that it has reached.', boolean),
  fired: described('What fell due on the way, in due order; the first thousand.', list(due)),
  firedCount: integer,
  putOff: described(
    'What could not be stored, and why; it is tried again each second. Null: all was.',
    nullable(
      object({
        count: described('How much of what fell due.', integer),
        time: described('Whether the time to which it came is among it.', boolean),
        says: text,
      }),
    ),
  ),
  rewound: nullable(undoable),
});
export type ClockChangeView = View<typeof clockChange>;

const paceView = object({
  pace,
  paces: list(pace),
  delays: described(
    'Delay name → milliseconds at this pace; null if records move only by hand.',
    map(nullable(number)),
  ),
});
export type PaceView = View<typeof paceView>;

export const clockCalls = {
  'GET /control/clock': { summary: 'The virtual clock, and what waits for time', asOf: 'now', reply: clock },
  'POST /control/clock': {
    summary: 'Advance, set, freeze, accelerate, rewind or stop time; returns what fell due',
    changes: true,
    body: object(
      {},
      {
        advance: { type: 'string', maxLength: 100, examples: ['30d'] },
        set: { type: 'string', maxLength: 100, examples: ['2026-01-31T12:00:00Z'] },
        freeze: boolean,
        rate: { type: 'number', examples: [60] },
        real: { type: 'boolean', enum: [true] },
        rewind: { type: 'boolean', enum: [true] },
        stop: {
          type: 'boolean',
          enum: [true],
          description: 'Ends the running advance or set at the time that it has reached; with a name only that one.',
        },
        name: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'With advance, set or real: a name by which this move, and no other one, can be stopped.',
          examples: ['nightly-run'],
        },
      },
    ),
    reply: clockChange,
  },
  'GET /control/pace': {
    summary: 'How uploads, offers and privacy requests move on, and after which delays',
    asOf: 'now',
    reply: paceView,
  },
  'POST /control/pace': {
    summary: 'Choose how they move on: at once, after short delays, or only by hand',
    changes: true,
    body: object({ pace }),
    reply: paceView,
  },
} as const satisfies CallTable;

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
import { undoable } from '../../world/edits.ts';
import type { CallTable } from '../call.ts';

export const pace = oneOf(...paces);

export const clockMode = oneOf('real', 'virtual', 'frozen');

/**
 * A timer of the clock, pending or fired. `kind` and `id` name the record that it moves; they are null if there is
 * none.
 */
const due = object({
  label: text,
  says: described('The label in words for people: `Retry of sms.subscribed`.', text),
  at: described('The time on the virtual clock.', time),
  kind: nullable(text),
  id: nullable(text),
});
export type DueView = View<typeof due>;

/** A running jump of the clock. */
export const jump = object({
  from: time,
  to: time,
  now: described('The time that the jump has reached.', time),
  fired: described('The number of timers that fell due so far.', integer),
  left: described('The number of timers known to fall due before the end; each may add others.', integer),
});
export type JumpView = View<typeof jump>;

const clock = object({
  mode: clockMode,
  now: time,
  wall: time,
  offsetMs: described('Virtual time minus real time.', number),
  offset: described('The offset as a duration such as `30d`.', text),
  rate: described('Virtual milliseconds per real millisecond.', number),
  frozenAt: nullable(time),
  pace,
  jump: described('The running advance or set; null if there is none.', nullable(jump)),
  upcoming: described('The next hundred timers, in due order.', list(due)),
  upcomingCount: integer,
  rewind: described(
    'The move of time that `{rewind: true}` undoes, with all later changes; null if there is none.',
    nullable(undoable),
  ),
});
export type ClockView = View<typeof clock>;

/** The answer to a change of the clock. */
const clockChange = object({
  ...clock.properties,
  stopped: described('Whether the move was stopped; `now` is the time that it reached.', boolean),
  fired: described('The timers that fell due on the way, in due order; the first thousand.', list(due)),
  firedCount: integer,
  firedCounts: described(
    'All that fell due, without internal timers: how often each thing, in the order in which it came first; the first thousand.',
    list(object({ says: text, count: integer })),
  ),
  waiting: described(
    'The deliveries that were not sent on the way, or not answered, because their receivers answer slowly; by address.',
    list(object({ url: text, count: integer })),
  ),
  putOff: described(
    'The work that could not be stored, and why; it is tried again each second. Null if all was stored.',
    nullable(
      object({
        count: described('The number of timers that fell due and could not be stored.', integer),
        time: described('Whether the time that was reached could not be stored either.', boolean),
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
  'GET /control/clock': { summary: 'The virtual clock, and the timers that wait', asOf: 'now', reply: clock },
  'POST /control/clock': {
    summary: 'Advance, set, freeze, accelerate, rewind or stop time; the answer lists the timers that fell due',
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
          description:
            'Ends the running advance or set at the time that it has reached; with `name`, only the move with that name.',
        },
        name: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'With advance, set or real: a name by which this move, and no other, can be stopped.',
          examples: ['nightly-run'],
        },
      },
    ),
    reply: clockChange,
  },
  'GET /control/pace': {
    summary: 'The pace at which uploads, offers and privacy requests move on, and its delays',
    asOf: 'now',
    reply: paceView,
  },
  'POST /control/pace': {
    summary: 'Choose the pace: records move on at once, after short delays, or only by hand',
    changes: true,
    body: object({ pace }),
    reply: paceView,
  },
} as const satisfies CallTable;

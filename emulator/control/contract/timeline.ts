import {
  boolean,
  counts,
  described,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { deliveryState } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { snapshotLine } from '../../world/shapes.ts';

export const kinds = ['request', 'change', 'delivery', 'message', 'person', 'clock', 'edit', 'fault'] as const;
const kind = oneOf(...kinds);
export type TimelineKind = View<typeof kind>;

const link = object({
  text: described('The part of `says` that names it.', text),
  from: described('Where in `says` that part begins, from 0.', integer),
  kind: described('Of the record: `requests`, or a kind of GET /control/record-kinds.', text),
  id: text,
});
export type TimelineLink = View<typeof link>;

/** One thing that happened. */
const entry = object({
  id: text,
  kind,
  at: described('On the virtual clock.', time),
  wallAt: described('Real time; null if it is not known.', nullable(time)),
  says: described('A sentence about people and things.', text),
  note: described('Further words, muted: `attempt 2`, `by the clock`.', nullable(text)),
  tone: described('How it went.', oneOf('plain', 'good', 'warning', 'bad')),
  status: described('The HTTP status of a request.', nullable(integer)),
  state: described('Of a delivery.', nullable(deliveryState)),
  isCertain: described('False if its cause is guessed from the time.', boolean),
  links: described('In the order of the sentence.', list(link)),
});
export type TimelineEntryView = View<typeof entry>;

const move = object({
  from: time,
  to: time,
  stopped: described('It was stopped on the way.', boolean),
  tookMs: described('Real time.', integer),
  result: described(
    'What happened in the time that was passed, as parts of a sentence; none if nothing did.',
    list(object({ says: text, kind })),
  ),
});

/** A cause with the entries that followed it. */
const group = object({
  ...entry.properties,
  cursor: described('For `before` and `after`.', text),
  kinds: described('Of it and of what followed.', list(kind)),
  section: described('The id of the move of the clock in which it happened; null if in none.', nullable(text)),
  cause: described('An earlier entry that led to it.', nullable(object({ id: text, says: text }))),
  edit: described(
    'Its id in GET /control/undo, if it is an edit that was made since the start; else null.',
    nullable(text),
  ),
  isTakenBack: described('Whether it was undone since.', boolean),
  move: described('Of a move of the clock; null for all others.', nullable(move)),
  followers: described('What followed, in order; the first thirty unless one cause is asked for.', list(entry)),
  followerCount: integer,
});
export type TimelineGroupView = View<typeof group>;

/** A page of the timeline, newest first. */
const timeline = object({
  total: described('Causes that match.', integer),
  all: described('Causes that match without `kind`.', integer),
  counts: described('How many of those are of each kind; one may be of several.', counts(kinds)),
  groups: list(group),
  hasOlder: boolean,
  hasNewer: boolean,
});
export type TimelineView = View<typeof timeline>;

/** The distribution of causes over time. */
const spread = object({
  from: nullable(time),
  to: nullable(time),
  earliest: described('The first moment that can be looked at: entries may be older.', time),
  bars: described(
    'Equal lengths of time from `from` to `to`: how many causes there are, and how many of them failed.',
    list(object({ at: time, count: integer, failed: integer })),
  ),
});
export type TimelineSpreadView = View<typeof spread>;

/** The world at an earlier moment, compared with the present. */
const then = object({
  at: time,
  now: time,
  earliest: described('The first moment that is known.', time),
  counts: list(object({ says: text, kind: described('Of records.', text), was: integer, is: integer })),
  receivers: list(object({ id: text, url: text, isEnabled: boolean, waiting: integer, failed: integer })),
  hasOtherProducts: described('A catalog was saved since: its products are as they are now.', boolean),
});
export type TimelineMomentView = View<typeof then>;

/** The answer to going back to an earlier moment. */
const wentBack = object({
  at: described('The present moment.', time),
  from: described('What was the present before.', time),
  hasOtherProducts: boolean,
});

/** A moment, also in the forms that people write. */
const wanted = { type: 'string', maxLength: 100, examples: ['2026-01-31T12:00:00Z'] } as const;
const cursor = { type: 'string', maxLength: 300 } as const;

const filter = {
  companyId: text,
  kind: described(`One kind, or several with a comma between them: ${kinds.join(', ')}.`, {
    type: 'string',
    maxLength: 100,
    examples: ['delivery'],
  }),
  person: described('An id, a phone, an email or another identifier.', {
    type: 'string',
    maxLength: 500,
    examples: ['+15555550123'],
  }),
  webhook: described('An id, or a part of the URL.', { type: 'string', maxLength: 2048 }),
  upload: described('The id of a catalog upload.', { type: 'string', maxLength: 500 }),
  rule: described('The rule that refused.', { type: 'string', examples: ['auth.scope'] }),
  cause: described('The id of a request, an activity or a delivery: only that, with all that followed.', text),
  section: described('The id of a move of the clock: only what happened in it.', text),
  text: described('A part of the sentences, in any case.', { type: 'string', maxLength: 500 }),
  failed: described('Only what was refused or failed.', oneOf('true')),
  since: described('What happened at this time or later, on the virtual clock.', time),
  until: described('What happened before this time, on the virtual clock.', time),
} as const;

export const timelineCalls = {
  'GET /control/timeline': {
    summary:
      'Everything that happened, newest first on the virtual clock: each cause with what followed; `before` and `after` page to older and newer ones',
    asOf: 'now',
    query: object(
      {},
      {
        ...filter,
        before: described('A cursor: the causes that are older than it.', cursor),
        after: described('A cursor: the causes next to it that are newer.', cursor),
        limit: { type: 'string', pattern: '^[0-9]{1,3}$', description: 'At most 500.', examples: ['100'] },
      },
    ),
    reply: timeline,
  },
  'GET /control/timeline/spread': {
    summary: 'How many causes there are over time, for the bars of a scrubber',
    asOf: 'now',
    query: object({}, { ...filter, bars: { type: 'string', pattern: '^[1-9][0-9]{0,2}$', examples: ['60'] } }),
    reply: spread,
  },
  'GET /control/timeline/moment': {
    summary: 'The world at an earlier moment, counted, beside the present one',
    asOf: 'now',
    query: object({ at: time }),
    reply: then,
  },
  'POST /control/timeline/back': {
    summary:
      'Go back: everything is as it was at an earlier moment, which becomes the present; the recorded requests stay, and it can be undone',
    asOf: 'now',
    changes: true,
    body: object({ at: wanted }),
    reply: wentBack,
  },
  'POST /control/timeline/fork': {
    summary: 'Keep an earlier moment as a snapshot; nothing else changes',
    asOf: 'now',
    changes: true,
    body: object(
      { at: wanted, name: { type: 'string', minLength: 1, maxLength: 100, examples: ['before-the-sale'] } },
      { overwrite: boolean },
    ),
    status: 201,
    reply: snapshotLine,
  },
} as const satisfies CallTable;

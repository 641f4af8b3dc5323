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
import { limit } from './paging.ts';
import { deliveryState } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { snapshotLine } from '../../world/shapes.ts';

export const kinds = ['request', 'change', 'delivery', 'message', 'person', 'clock', 'edit', 'fault'] as const;
const kind = oneOf(...kinds);
export type TimelineKind = View<typeof kind>;

const link = object({
  text: described('The part of `says` that names the record.', text),
  from: described('The position in `says` at which that part begins, from 0.', integer),
  kind: described('The kind of the record: `requests`, or a kind of GET /control/record-kinds.', text),
  id: text,
});
export type TimelineLink = View<typeof link>;

/** One thing that happened. */
const entry = object({
  id: text,
  kind,
  at: described('The time on the virtual clock.', time),
  wallAt: described('The real time; null if it is not known.', nullable(time)),
  says: described('The entry as a sentence, for people.', text),
  note: described('Further words, shown muted: `attempt 2`, `by the clock`.', nullable(text)),
  tone: described('The outcome of the entry.', oneOf('plain', 'good', 'warning', 'bad')),
  status: described('The HTTP status of a request.', nullable(integer)),
  state: described('The state of a delivery.', nullable(deliveryState)),
  isCertain: described('False if the cause of the entry is guessed from its time.', boolean),
  links: described('The records that the sentence names, in its order.', list(link)),
});
export type TimelineEntryView = View<typeof entry>;

const move = object({
  from: time,
  to: time,
  stopped: described('Whether the move was stopped on the way.', boolean),
  tookMs: described('Milliseconds of real time.', integer),
  result: described(
    'The events in the time that was passed, as parts of a sentence; empty if there were none.',
    list(object({ says: text, kind })),
  ),
});

/** A cause with the entries that followed it. */
const group = object({
  ...entry.properties,
  cursor: described('The cursor of the cause, for `before` and `after`.', text),
  kinds: described('The kinds of the cause and of the entries that followed.', list(kind)),
  section: described(
    'The id of the move of the clock during which the cause happened; null if there was none.',
    nullable(text),
  ),
  cause: described(
    'The earlier entry that led to this cause; null if there is none.',
    nullable(object({ id: text, says: text })),
  ),
  edit: described(
    'The id in GET /control/undo if the cause is an edit made since the start; else null.',
    nullable(text),
  ),
  isTakenBack: described(
    'Whether the edit was undone since then, or what the request changed was taken back.',
    boolean,
  ),
  move: described('The move, if the cause is a move of the clock; else null.', nullable(move)),
  followers: described(
    'The entries that followed, in order; the first thirty unless one cause is asked for.',
    list(entry),
  ),
  followerCount: integer,
});
export type TimelineGroupView = View<typeof group>;

/** A page of the timeline, newest first. */
const timeline = object({
  total: described('The number of causes that match.', integer),
  all: described('The number of causes that match the filters other than `kind`.', integer),
  counts: described('The causes of `all`, counted by kind; a cause may be of several kinds.', counts(kinds)),
  groups: list(group),
  hasOlder: boolean,
  hasNewer: boolean,
});
export type TimelineView = View<typeof timeline>;

/** The distribution of causes over time. */
const spread = object({
  from: nullable(time),
  to: nullable(time),
  earliest: described('The first moment whose records are known; entries may be older.', time),
  bars: described(
    'Equal spans of time from `from` to `to`, each with the number of its causes and of those that failed.',
    list(object({ at: time, count: integer, failed: integer })),
  ),
});
export type TimelineSpreadView = View<typeof spread>;

/** The world at an earlier moment, compared with the present. */
const then = object({
  at: time,
  now: time,
  earliest: described('The first moment whose records are known.', time),
  counts: list(object({ says: text, kind: described('The kind of the records.', text), was: integer, is: integer })),
  receivers: list(object({ id: text, url: text, isEnabled: boolean, waiting: integer, failed: integer })),
  hasOtherProducts: described('Whether a catalog was saved since then; its products are as they are now.', boolean),
});
export type TimelineMomentView = View<typeof then>;

/** The answer to going back to an earlier moment. */
const wentBack = object({
  at: described('The present after the call.', time),
  from: described('The present before the call.', time),
  hasOtherProducts: boolean,
});

/** A moment, also in the forms that people write. */
const wanted = { type: 'string', maxLength: 100, examples: ['2026-01-31T12:00:00Z'] } as const;
const cursor = { type: 'string', maxLength: 300 } as const;

const filter = {
  companyId: text,
  kind: described(`One kind, or several separated by commas: ${kinds.join(', ')}.`, {
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
  rule: described('The id of the rule that refused a request.', { type: 'string', examples: ['auth.scope'] }),
  cause: described(
    'The id of a request, an activity or a delivery: only this cause, with everything that followed.',
    text,
  ),
  section: described('The id of a move of the clock: only causes that happened during it.', text),
  text: described('A part of the sentences, in upper or lower case.', { type: 'string', maxLength: 500 }),
  failed: described('Only causes that were refused or failed.', oneOf('true')),
  since: described('Only causes at this time or later, on the virtual clock.', time),
  until: described('Only causes before this time, on the virtual clock.', time),
} as const;

export const timelineCalls = {
  'GET /control/timeline': {
    summary:
      'Everything that happened, newest first on the virtual clock: each cause with the entries that followed; `before` and `after` page to older and newer causes',
    asOf: 'now',
    query: object(
      {},
      {
        ...filter,
        before: described('A cursor: only causes that are older.', cursor),
        after: described('A cursor: the nearest causes that are newer.', cursor),
        limit: { ...limit, maximum: 999, description: 'At most 500.' },
      },
    ),
    reply: timeline,
  },
  'GET /control/timeline/spread': {
    summary: 'The number of causes over time, for the bars of a scrubber',
    asOf: 'now',
    query: object({}, { ...filter, bars: { type: 'integer', minimum: 1, maximum: 999, examples: [60] } }),
    reply: spread,
  },
  'GET /control/timeline/moment': {
    summary: 'The world at an earlier moment, counted and compared with the present',
    asOf: 'now',
    query: object({ at: time }),
    reply: then,
  },
  'POST /control/timeline/back': {
    summary:
      'Restore everything as it was at an earlier moment, which becomes the present; the recorded requests stay, and the call can be undone',
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

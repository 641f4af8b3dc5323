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
import { clientKeys } from '../../features/accounts/shapes.ts';
import { choiceFields, rateLimitModes, recordLimits } from '../../http/shapes.ts';
import { platformNotices } from '../../records/accounts.ts';
import type { CallTable } from '../call.ts';
import { clockMode, pace } from './clock.ts';
import { webhookTime } from './webhooks.ts';

const health = object({
  ready: boolean,
  version: text,
  apiUrl: text,
  authUrl: text,
  now: time,
  clock: clockMode,
  dataDir: described('The data folder; null if everything is only in memory.', nullable(text)),
  isDefaultDataDir: described('Whether a command finds this emulator without --data or --url.', boolean),
  world: described(
    'A value that changes when all records are replaced, as by a reset, and when an emulator in memory restarts. An id may belong to another record after that.',
    text,
  ),
  requests: object({ kept: integer, dropped: integer }),
  records: described('Kind (`privacy-requests`) → number of records.', map(integer)),
  notices: described('The problems that were found in the data folder at the start.', list(text)),
});

export type HealthView = View<typeof health>;

/** The facts that a first start shows. The keys are those of the demo world, which are public. */
const welcome = object({
  apiUrl: text,
  authUrl: text,
  companies: list(object({ id: text, name: text })),
  demoKeys: list(
    object({
      key: text,
      app: text,
      company: described('The name of the company, which another company may have too.', text),
      companyId: text,
      scopes: list(text),
    }),
  ),
});
export type WelcomeView = View<typeof welcome>;

const seenAt = nullable(time);
/** When each first step was first seen done, on the virtual clock; null until then. */
const firstSteps = object({
  arrived: seenAt,
  refused: seenAt,
  mended: described('When an operation that had been refused was accepted.', seenAt),
  delivered: seenAt,
  moved: described('When the clock was moved.', seenAt),
  opened: described('When a message was opened, or a link in it.', seenAt),
});
export type FirstStepsView = View<typeof firstSteps>;

/** The options of the start, which only a restart can change, and how long things last. */
const settings = object({
  start: object({
    port: integer,
    inspectorPort: integer,
    host: text,
    allowHosts: list(text),
    publicUrl: described(
      'The address of the API from outside; null if it is the one on which the API listens.',
      nullable(text),
    ),
    publicInspectorUrl: described(
      'The address of the inspector from outside; null if it is the one on which the inspector listens.',
      nullable(text),
    ),
    dataDir: described('The data folder; null if everything is in memory.', nullable(text)),
    seed: described(
      'The snapshot file for an empty store, whether or not the store was empty; null if there is none.',
      nullable(text),
    ),
    world: described('The world file of the start, to which a reset goes back; null if there is none.', nullable(text)),
    pace,
    rateLimits: oneOf(...rateLimitModes),
    choices: described('Choices about unknown behaviour of the platform.', choiceFields),
    record: recordLimits,
  }),
  allowedHosts: described('The host names that were allowed while the emulator ran; the API answers them.', list(text)),
  webhookTime: described('The clock that payloads and signatures of webhooks show.', webhookTime),
  delivery: described(
    'The times of deliveries in milliseconds, on the virtual clock except `timeoutMs`.',
    object({
      timeoutMs: number,
      retryDelaysMs: list(number),
      retryForMs: number,
      disableAfterMs: number,
      keyOverlapMs: number,
    }),
  ),
  spans: object({ authorizationCodeMs: number, uploadLinkMs: number, journeysMs: number }),
  limits: object({
    codesAtOnce: described('The largest number of codes in one upload to an offer.', integer),
    keptFilesBytes: described(
      'The largest number of bytes kept of checked catalog files; the newest files stay.',
      integer,
    ),
  }),
});
export type SettingsView = View<typeof settings>;

/** An internal error of Sandpiper. Times are ISO 8601; `at` is virtual, `wallAt` real. */
const ownError = object({
  id: text,
  at: time,
  wallAt: time,
  requestId: described('The request that was being handled; null if there was none.', nullable(text)),
  text: described('The message and the stack.', text),
});
export type OwnErrorView = View<typeof ownError>;
export type NoticeView = View<typeof notice>;

const notice = platformNotices.schema;

export const statusCalls = {
  'GET /control/health': {
    summary: 'Whether the emulator is ready, and how many records it has',
    asOf: 'now',
    reply: health,
  },
  'GET /control/welcome': {
    summary: 'The addresses, the keys of the demo world that are still valid, and the companies',
    asOf: 'now',
    reply: welcome,
  },
  'GET /control/client-keys': {
    summary:
      'The API key and the public app to set up a client with, unmasked: those of the demo world, else the first ones',
    asOf: 'now',
    reply: clientKeys,
  },
  'GET /control/first-steps': {
    summary:
      'The time at which each first step was first seen done, since the start or the last reset; null if it was not',
    asOf: 'now',
    reply: firstSteps,
  },
  'GET /control/settings': {
    summary: 'The options of the start, the clock that webhooks show, and the durations in use',
    asOf: 'now',
    reply: settings,
  },
  'GET /control/notices': {
    summary: 'Notices to the developer: webhooks that were disabled automatically, loops that were stopped',
    asOf: 'now',
    reply: object({ notices: list(notice) }),
  },
  'GET /control/own-errors': {
    summary: 'Errors of Sandpiper itself since it was started, newest last',
    asOf: 'now',
    reply: object({ errors: list(ownError) }),
  },
  'DELETE /control/own-errors': { summary: 'Forget the errors of Sandpiper itself', changes: true, reply: null },
} as const satisfies CallTable;

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
import { choices } from '../../http/choices.ts';
import { rateLimitModes, recordLimits } from '../../http/shapes.ts';
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
  dataDir: described('Null if everything is only in memory.', nullable(text)),
  world: described(
    'Another value after all records were replaced, as by a reset, and after a restart in memory. An id may be that of another record then.',
    text,
  ),
  requests: object({ kept: integer, dropped: integer }),
  records: described('Kind (`privacy-requests`) → how many there are.', map(integer)),
  notices: described('What was found wrong with the data folder at the start.', list(text)),
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
      company: described('Its name, which another company may have too.', text),
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
  mended: described('An operation that had been refused was accepted.', seenAt),
  delivered: seenAt,
  moved: described('The clock was moved.', seenAt),
  opened: described('A message was opened, or a link in it.', seenAt),
});
export type FirstStepsView = View<typeof firstSteps>;

/** The options of the start, which only a restart can change, and how long things last. */
const settings = object({
  start: object({
    port: integer,
    inspectorPort: integer,
    host: text,
    allowHosts: list(text),
    publicUrl: described('The address of the API from outside; null: that on which it listens.', nullable(text)),
    publicInspectorUrl: described('The same for the inspector.', nullable(text)),
    dataDir: described('Null: everything is in memory.', nullable(text)),
    seed: described('The file that filled the empty store, or would have.', nullable(text)),
    world: described('The world file of the start, to which a reset goes back; null if there is none.', nullable(text)),
    pace,
    rateLimits: oneOf(...rateLimitModes),
    choices: described(
      'Choices about unknown behaviour of the platform.',
      object({
        unknownFields: oneOf(...choices.unknownFields),
        unknownUnsubscribe: oneOf(...choices.unknownUnsubscribe),
        answers: oneOf(...choices.answers),
      }),
    ),
    record: recordLimits,
  }),
  allowedHosts: described('Host names that were allowed while it ran; the API answers them.', list(text)),
  webhookTime: described('Which clock payloads and signatures of webhooks show.', webhookTime),
  delivery: described(
    'Milliseconds, on the virtual clock except `timeoutMs`.',
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
    codesAtOnce: described('How many codes one upload to an offer may have.', integer),
    keptFilesBytes: described('How many bytes of checked catalog files are kept; the newest stay.', integer),
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
      'The API key and the public app that a client is set up with, whole: the demo world’s, else the first ones',
    asOf: 'now',
    reply: clientKeys,
  },
  'GET /control/first-steps': {
    summary: 'When each of the first steps was seen done, since the start or the last reset; null if it was not',
    asOf: 'now',
    reply: firstSteps,
  },
  'GET /control/settings': {
    summary: 'What was chosen at the start, which clock webhooks show, and how long things last',
    asOf: 'now',
    reply: settings,
  },
  'GET /control/notices': {
    summary: 'What the developer should know of: webhooks disabled by themselves, loops that were cut',
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

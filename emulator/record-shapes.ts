/** The shape of every kind of record, as it is stored and as the control API shows it. What each is: records.ts. */
import {
  anyValue,
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
} from './contract/shape.ts';

const owned = { id: text, companyId: text } as const;

export const mover = described(
  'An API call, the clock, the developer’s hand, or work that finished.',
  oneOf('call', 'clock', 'hand', 'work'),
);

/** One line of a record's history. `from` is null for the entry that created it. */
export function toMovedShape<const State extends object>(state: State) {
  return object({ from: nullable(state), event: text, to: state, by: mover, at: time, why: text });
}

function stateful<const State extends object>(state: State) {
  return {
    state,
    enteredAt: described('When the present state began.', time),
    history: described('Oldest first.', list(toMovedShape(state))),
  } as const;
}

const company = object({ id: text, name: text, domain: text, contactEmail: text });

const app = object({
  ...owned,
  kind: oneOf('private', 'public'),
  name: text,
  scopes: list(text),
  clientId: nullable(text),
  clientSecret: nullable(text),
  redirectUris: list(text),
});

export const credential = object({
  ...owned,
  appId: text,
  kind: oneOf('api-key', 'oauth-token'),
  secret: text,
  scopes: list(text),
  createdAt: time,
  expiresAt: nullable(time),
  revokedAt: nullable(time),
});

const authorizationCode = object({
  ...owned,
  appId: text,
  code: text,
  redirectUri: text,
  scopes: list(text),
  createdAt: time,
  expiresAt: time,
  usedAt: nullable(time),
});

export const channel = oneOf('TEXT', 'EMAIL');

const origin = described(
  'Where something is known from: a request (`what` is its operation), the demo world, or nobody kept it.',
  object({ by: oneOf('request', 'demo', 'unknown'), what: text, requestId: nullable(text) }),
);

export const user = object({
  ...owned,
  externalId: integer,
  addresses: described(
    'Phones (they take texts) and email addresses in the order in which they became known; the first of a channel is meant where nothing says which.',
    list(object({ channel, value: text, since: time, from: origin })),
  ),
  clientUserIds: list(text),
  shopifyIds: list(text),
  klaviyoIds: list(text),
  customIdentifiers: list(object({ name: text, value: text })),
  merged: described(
    'Who became one with this person, and what they were called.',
    list(object({ id: text, externalId: integer, name: text, at: time, from: origin })),
  ),
  createdAt: time,
});

export const subscriptionType = oneOf('MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED');
export const subscriptionStatus = oneOf('subscribed', 'unsubscribed');

const subscription = object({
  ...owned,
  userId: text,
  address: described('The phone or email as it is on file.', text),
  type: subscriptionType,
  channel,
  status: subscriptionStatus,
  signUpUnitId: nullable(text),
  createdAt: time,
  updatedAt: time,
  attempts: list(object({ at: time, act: oneOf('subscribe', 'unsubscribe') })),
});

export const signUpUnit = object({ ...owned, name: text, language: text, country: text, type: subscriptionType });

export const attributeType = oneOf('string', 'number', 'boolean', 'date');

export const attributeDefinition = object({
  ...owned,
  name: text,
  type: attributeType,
  values: described('The fixed set; null where any value is taken.', nullable(list(text))),
  origin: oneOf('ui', 'api'),
  createdAt: time,
});

const attributeValue = object({ ...owned, userId: text, name: text, value: text, updatedAt: time });

const inboundEvent = object({
  ...owned,
  userId: text,
  kind: oneOf('product-view', 'add-to-cart', 'purchase', 'custom'),
  type: text,
  externalEventId: nullable(text),
  occurredAt: time,
  receivedAt: time,
  startsJourneys: boolean,
  body: described(
    'What the client sent, without the user; `shortened` maps URLs among the properties to their short links.',
    map(anyValue),
  ),
});

export const offerWindow = oneOf('never-expire', 'time-to-live', 'custom-time-period');

const offer = object({
  ...owned,
  ...stateful(oneOf('ACTIVE', 'SYNCING', 'ERROR')),
  name: text,
  window: offerWindow,
  apiUploads: boolean,
  createdAt: time,
  codeCount: integer,
});

const offerUpload = object({
  ...owned,
  offerId: text,
  distributionStart: nullable(time),
  distributionStop: nullable(time),
  codeCount: integer,
  duplicateCount: integer,
  receivedAt: time,
});

export const catalogIssue = object({
  errorType: text,
  errorMessage: text,
  lineNum: described('From 1; 0 where no line is to blame.', integer),
  pointer: described('JSON pointer into the line, "" for the whole of it.', text),
  value: described('The offending value, shortened; null where there is none to show.', nullable(text)),
});

const uploadReport = object({
  lines: integer,
  goodLines: integer,
  issueCount: integer,
  issues: described('At most ten of a type, as the API shows them.', list(catalogIssue)),
});

const upload = object({
  ...owned,
  ...stateful(oneOf('initialized', 'validating', 'validated', 'completed', 'expired', 'save_failed')),
  validateOnly: boolean,
  createdAt: time,
  expiresAt: time,
  bytes: nullable(integer),
  etag: nullable(text),
  report: described('What checking the file found.', nullable(uploadReport)),
  productsProcessed: nullable(integer),
});

export const privacyState = oneOf('received', 'processing', 'processed');

const privacyRequest = object({
  ...owned,
  ...stateful(privacyState),
  subjectPhone: nullable(text),
  subjectEmail: nullable(text),
  clientUserId: nullable(text),
  requestMsg: nullable(text),
  requestedAt: time,
  processingStartedAt: nullable(time),
  processingEndedAt: nullable(time),
  deletedUserIds: list(text),
});

export const reach = described(
  'How far deliveries may go: this machine, also private networks, or anywhere.',
  oneOf('loopback', 'private', 'public'),
);

export const webhook = object({
  ...owned,
  appId: text,
  url: text,
  events: list(text),
  signingKey: text,
  previousKey: described(
    'The key before the last rotation; it signs too until its time is over.',
    nullable(object({ key: text, until: time })),
  ),
  createdAt: time,
  disabledAt: nullable(time),
  disabledReason: described('Why the platform disabled it; null where somebody did.', nullable(text)),
  failingSince: described('Since when nothing was accepted; null once something was.', nullable(time)),
  reach,
});

export const deliveryState = oneOf('queued', 'delivering', 'delivered', 'retrying', 'failed', 'paused');

const headers = map(text);

/** One try to deliver: what was sent (the body is the delivery's), what came back, or why nothing did. */
const deliveryAttempt = object(
  {
    at: time,
    wallAt: described('Real time, where `at` is the virtual one.', time),
    durationMs: number,
    request: object({ url: text, headers }),
    response: nullable(object({ status: integer, headers, body: described('The first 16 KB.', text) })),
    error: described('Why the attempt failed, in a sentence; null where it was accepted.', nullable(text)),
  },
  {
    asksReach: described(
      'How far the webhook would have to reach for it, where the attempt was refused for that.',
      reach,
    ),
  },
);

export const delivery = object({
  ...owned,
  ...stateful(deliveryState),
  eventId: text,
  type: text,
  webhookId: described('Null: it goes to an address given by hand.', nullable(text)),
  url: text,
  reach,
  body: described('The exact text that is sent and signed.', text),
  createdAt: time,
  seriesStartedAt: described('When the present series of attempts began; null before its first one.', nullable(time)),
  seriesAttempts: integer,
  nextAttemptAt: described('Only while retrying.', nullable(time)),
  hops: described('How many deliveries led to this one.', integer),
  attemptCount: integer,
  attempts: described('The newest thirty.', list(deliveryAttempt)),
});

export const notice = object({
  id: text,
  companyId: nullable(text),
  at: time,
  level: oneOf('info', 'warning', 'error'),
  text,
});

const shortLink = object({
  ...owned,
  userId: text,
  url: text,
  messageId: nullable(text),
  eventId: nullable(text),
  clicks: integer,
  createdAt: time,
});

export const message = object({
  ...owned,
  userId: text,
  channel,
  direction: oneOf('out', 'in'),
  type: described('As payloads name it: ONE_TIME, CONFIRM_OPT_IN, OPT_OUT …', text),
  name: text,
  to: described('The person’s phone or email.', text),
  text,
  subject: nullable(text),
  html: nullable(text),
  links: list(object({ id: text, url: text, shortUrl: text })),
  sentAt: time,
  opens: list(time),
  clicks: list(object({ url: text, at: time })),
  cause: described('What it came of, in words.', text),
});

const setting = object({ id: text, value: anyValue });

/** By the name of the collection. */
export const recordShapes = {
  companies: company,
  apps: app,
  credentials: credential,
  authorizationCodes: authorizationCode,
  users: user,
  subscriptions: subscription,
  signUpUnits: signUpUnit,
  attributeDefinitions: attributeDefinition,
  attributeValues: attributeValue,
  events: inboundEvent,
  offers: offer,
  offerUploads: offerUpload,
  uploads: upload,
  privacyRequests: privacyRequest,
  webhooks: webhook,
  deliveries: delivery,
  platformNotices: notice,
  messages: message,
  shortLinks: shortLink,
  settings: setting,
};

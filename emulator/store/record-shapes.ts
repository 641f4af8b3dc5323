import type {
  CollectionName,
  Collections,
  DeliveryState,
  OfferState,
  OfferWindow,
  PrivacyState,
  Reach,
  SubscriptionType,
  UploadState,
} from '../records.ts';

/** What a field may hold. */
interface Check {
  readonly says: string;
  is(value: unknown): boolean;
}

type Shapes = { readonly [N in CollectionName]: { readonly [F in Exclude<keyof Collections[N], 'id'>]-?: Check } };

const text: Check = { says: 'text', is: (value) => typeof value === 'string' };
const time: Check = {
  says: 'an ISO 8601 time',
  is: (value) =>
    typeof value === 'string' && /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
};
const flag: Check = { says: 'true or false', is: (value) => typeof value === 'boolean' };
const count: Check = { says: 'a whole number', is: (value) => Number.isSafeInteger(value) && (value as number) >= 0 };
const anything: Check = { says: 'a value', is: (value) => value !== undefined };
const object: Check = { says: 'an object', is: isObject };

function orNull({ says, is }: Check): Check {
  return { says: `${says} or null`, is: (value) => value === null || is(value) };
}

function list({ says, is }: Check): Check {
  return { says: `a list, each ${says}`, is: (value) => Array.isArray(value) && value.every(is) };
}

function oneOf<T extends string>(values: { readonly [V in T]: 0 }): Check {
  return {
    says: Object.keys(values).join(' or '),
    is: (value) => typeof value === 'string' && Object.hasOwn(values, value),
  };
}

/** At least these fields: what lies within a record may tell more than its type says. */
function fields(shape: { readonly [field: string]: Check }): Check {
  const says = `an object of ${Object.keys(shape).join(', ')}`;
  return { says, is: (value) => isObject(value) && wrongField(shape, value) === null };
}

const texts = list(text);
const mover = oneOf({ call: 0, clock: 0, hand: 0, work: 0 });
const reach = oneOf<Reach>({ loopback: 0, private: 0, public: 0 });
const subscriptionType = oneOf<SubscriptionType>({ MARKETING: 0, TRANSACTIONAL: 0, CHECKOUT_ABANDONED: 0 });
const channel = oneOf({ TEXT: 0, EMAIL: 0 });

function stateful<S extends string>(states: { readonly [V in S]: 0 }) {
  const state = oneOf(states);
  const moved = fields({ from: orNull(state), event: text, to: state, by: mover, at: time, why: text });
  return { state, enteredAt: time, history: list(moved) };
}

/** The fields of every kind of record beside its id. A field missing here does not compile. */
const shapes: Shapes = {
  companies: { name: text, domain: text, contactEmail: text },
  apps: {
    companyId: text,
    kind: oneOf({ private: 0, public: 0 }),
    name: text,
    scopes: texts,
    clientId: orNull(text),
    clientSecret: orNull(text),
    redirectUris: texts,
  },
  credentials: {
    companyId: text,
    appId: text,
    kind: oneOf({ 'api-key': 0, 'oauth-token': 0 }),
    secret: text,
    scopes: texts,
    createdAt: time,
    expiresAt: orNull(time),
    revokedAt: orNull(time),
  },
  authorizationCodes: {
    companyId: text,
    appId: text,
    code: text,
    redirectUri: text,
    scopes: texts,
    createdAt: time,
    expiresAt: time,
    usedAt: orNull(time),
  },
  users: {
    companyId: text,
    externalId: count,
    phones: texts,
    emails: texts,
    clientUserIds: texts,
    shopifyIds: texts,
    klaviyoIds: texts,
    customIdentifiers: list(fields({ name: text, value: text })),
    createdAt: time,
  },
  subscriptions: {
    companyId: text,
    userId: text,
    type: subscriptionType,
    channel,
    status: oneOf({ subscribed: 0, unsubscribed: 0 }),
    signUpUnitId: orNull(text),
    createdAt: time,
    updatedAt: time,
    attempts: list(fields({ at: time, act: oneOf({ subscribe: 0, unsubscribe: 0 }) })),
  },
  signUpUnits: { companyId: text, name: text, language: text, country: text, type: subscriptionType },
  attributeDefinitions: {
    companyId: text,
    name: text,
    type: oneOf({ string: 0, number: 0, boolean: 0, date: 0 }),
    values: orNull(texts),
    origin: oneOf({ ui: 0, api: 0 }),
    createdAt: time,
  },
  attributeValues: { companyId: text, userId: text, name: text, value: text, updatedAt: time },
  events: {
    companyId: text,
    userId: text,
    kind: oneOf({ 'product-view': 0, 'add-to-cart': 0, purchase: 0, custom: 0 }),
    type: text,
    externalEventId: orNull(text),
    occurredAt: time,
    receivedAt: time,
    startsJourneys: flag,
    body: object,
  },
  offers: {
    companyId: text,
    name: text,
    window: oneOf<OfferWindow>({ 'never-expire': 0, 'time-to-live': 0, 'custom-time-period': 0 }),
    apiUploads: flag,
    createdAt: time,
    codeCount: count,
    ...stateful<OfferState>({ ACTIVE: 0, SYNCING: 0, ERROR: 0 }),
  },
  offerUploads: {
    companyId: text,
    offerId: text,
    distributionStart: orNull(text),
    distributionStop: orNull(text),
    codeCount: count,
    duplicateCount: count,
    receivedAt: time,
  },
  uploads: {
    companyId: text,
    validateOnly: flag,
    createdAt: time,
    expiresAt: time,
    bytes: orNull(count),
    etag: orNull(text),
    report: orNull(
      fields({
        lines: count,
        goodLines: count,
        issueCount: count,
        issues: list(
          fields({ errorType: text, errorMessage: text, lineNum: count, pointer: text, value: orNull(text) }),
        ),
      }),
    ),
    productsProcessed: orNull(count),
    ...stateful<UploadState>({
      initialized: 0,
      validating: 0,
      validated: 0,
      completed: 0,
      expired: 0,
      save_failed: 0,
    }),
  },
  privacyRequests: {
    companyId: text,
    subjectPhone: orNull(text),
    subjectEmail: orNull(text),
    clientUserId: orNull(text),
    requestMsg: orNull(text),
    requestedAt: time,
    processingStartedAt: orNull(time),
    processingEndedAt: orNull(time),
    deletedUserIds: texts,
    ...stateful<PrivacyState>({ received: 0, processing: 0, processed: 0 }),
  },
  webhooks: {
    companyId: text,
    appId: text,
    url: text,
    events: texts,
    signingKey: text,
    previousKey: orNull(fields({ key: text, until: time })),
    createdAt: time,
    disabledAt: orNull(time),
    disabledReason: orNull(text),
    failingSince: orNull(time),
    reach,
  },
  deliveries: {
    companyId: text,
    eventId: text,
    type: text,
    webhookId: orNull(text),
    url: text,
    reach,
    body: text,
    createdAt: time,
    seriesStartedAt: orNull(time),
    seriesAttempts: count,
    nextAttemptAt: orNull(time),
    hops: count,
    attemptCount: count,
    attempts: list(
      fields({
        at: time,
        wallAt: time,
        durationMs: anything,
        request: fields({ url: text, headers: object }),
        response: orNull(fields({ status: count, headers: object, body: text })),
        error: orNull(text),
      }),
    ),
    ...stateful<DeliveryState>({ queued: 0, delivering: 0, delivered: 0, retrying: 0, failed: 0, paused: 0 }),
  },
  platformNotices: {
    companyId: orNull(text),
    at: time,
    level: oneOf({ info: 0, warning: 0, error: 0 }),
    text,
  },
  messages: {
    companyId: text,
    userId: text,
    channel,
    direction: oneOf({ out: 0, in: 0 }),
    type: text,
    name: text,
    to: text,
    text,
    subject: orNull(text),
    html: orNull(text),
    links: list(fields({ id: text, url: text, shortUrl: text })),
    sentAt: time,
    opens: list(time),
    clicks: list(fields({ url: text, at: time })),
    cause: text,
  },
  shortLinks: {
    companyId: text,
    userId: text,
    url: text,
    messageId: orNull(text),
    eventId: orNull(text),
    clicks: count,
    createdAt: time,
  },
  settings: { value: anything },
};

/** What is wrong with a record of a collection, as the end of a sentence: `its "url" is 5, not text`. Null: nothing. */
export function recordMisfit(name: CollectionName, record: { readonly [field: string]: unknown }): string | null {
  const { id, ...rest } = record;
  if (typeof id !== 'string' || id === '' || id.length > 500) return 'its "id" is not text of 1 to 500 characters';
  const shape = shapes[name];
  const unknown = Object.keys(rest).find((field) => !Object.hasOwn(shape, field));
  return unknown === undefined
    ? wrongField(shape, rest)
    : `it has a field ${shown(unknown)} that this version does not know`;
}

function wrongField(
  shape: { readonly [field: string]: Check },
  value: { readonly [field: string]: unknown },
): string | null {
  for (const [field, { says, is }] of Object.entries(shape)) {
    if (!Object.hasOwn(value, field)) return `its "${field}" is missing`;
    if (!is(value[field])) return `its "${field}" is ${shown(value[field])}, not ${says}`;
  }
  return null;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

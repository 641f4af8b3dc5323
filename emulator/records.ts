/**
 * The data model: every kind of record the platform keeps, and in which collection. Types only.
 * Times are ISO 8601 strings in UTC, so that the state file reads well; ids are the platform's typed global ids unless
 * said otherwise. Everything but `companies` belongs to one company, and no company sees another's records.
 */

export interface StoredRecord {
  readonly id: string;
}

interface Owned extends StoredRecord {
  readonly companyId: string;
}

/** Who moved a record: an API call, the clock, the developer's hand, or work that finished (a file check). */
export type Mover = 'call' | 'clock' | 'hand' | 'work';

/** One line of a record's history. `from` is null for the entry that created it. */
export interface Moved<State extends string> {
  readonly from: State | null;
  readonly event: string;
  readonly to: State;
  readonly by: Mover;
  readonly at: string;
  readonly why: string;
}

/** A record that moves through the states of a table (see machine/). `enteredAt`: when the present state began. */
export interface Stateful<State extends string> extends StoredRecord {
  readonly state: State;
  readonly enteredAt: string;
  readonly history: readonly Moved<State>[];
}

export interface Company extends StoredRecord {
  readonly name: string;
  readonly domain: string;
  readonly contactEmail: string;
}

/** A private app is called with its API key; a public app installs itself by OAuth (section 5). */
export interface App extends Owned {
  readonly kind: 'private' | 'public';
  readonly name: string;
  readonly scopes: readonly string[];
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly redirectUris: readonly string[];
}

/** What may stand after `Authorization: Bearer`. `companyId` is the company that made the key or installed the app. */
export interface Credential extends Owned {
  readonly appId: string;
  readonly kind: 'api-key' | 'oauth-token';
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface AuthorizationCode extends Owned {
  readonly appId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

export interface CustomIdentifier {
  readonly name: string;
  readonly value: string;
}

/** A person, subscribed or not: whoever a phone, an email address or an identifier was sent for. */
export interface User extends Owned {
  readonly externalId: number;
  /** The first is the one that messages and payloads name; more come when people are bridged. */
  readonly phones: readonly string[];
  readonly emails: readonly string[];
  readonly clientUserIds: readonly string[];
  readonly shopifyIds: readonly string[];
  readonly klaviyoIds: readonly string[];
  readonly customIdentifiers: readonly CustomIdentifier[];
  readonly createdAt: string;
}

export type SubscriptionType = 'MARKETING' | 'TRANSACTIONAL' | 'CHECKOUT_ABANDONED';
export type Channel = 'TEXT' | 'EMAIL';

/** One type on one channel of one person; `id` is `userId:type:channel`. Attempts are recorded again (section 4). */
export interface Subscription extends Owned {
  readonly userId: string;
  readonly type: SubscriptionType;
  readonly channel: Channel;
  readonly status: 'subscribed' | 'unsubscribed';
  readonly signUpUnitId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly attempts: readonly { readonly at: string; readonly act: 'subscribe' | 'unsubscribe' }[];
}

/** An API sign-up unit, which the platform's UI makes; `id` is what clients send as `signUpSourceId`. */
export interface SignUpUnit extends Owned {
  readonly name: string;
  readonly language: string;
  readonly country: string;
  readonly type: SubscriptionType;
}

/** `id` is `companyId:name`. `values` is the fixed set of an attribute made in the UI, null where any value is taken. */
export interface AttributeDefinition extends Owned {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'date';
  readonly values: readonly string[] | null;
  readonly origin: 'ui' | 'api';
  readonly createdAt: string;
}

/** One person's value of an attribute; `id` is `userId:name`. */
export interface AttributeValue extends Owned {
  readonly userId: string;
  readonly name: string;
  readonly value: string;
  readonly updatedAt: string;
}

export type EventKind = 'product-view' | 'add-to-cart' | 'purchase' | 'custom';

/**
 * An event a client sent (section 6, inbound). `body` is what it sent, without the user; `shortened` in it maps the URLs
 * among the properties to their short links (section 2.5).
 */
export interface InboundEvent extends Owned {
  readonly userId: string;
  readonly kind: EventKind;
  readonly type: string;
  readonly externalEventId: string | null;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly startsJourneys: boolean;
  readonly body: { readonly [key: string]: unknown };
}

export type OfferWindow = 'never-expire' | 'time-to-live' | 'custom-time-period';
export type OfferState = 'ACTIVE' | 'SYNCING' | 'ERROR';
export type OfferEvent = 'codesReceived' | 'synced' | 'syncFailed';

/** An offer (coupon pool), which the platform's UI makes; `id` is its int64 number as text. */
export interface Offer extends Owned, Stateful<OfferState> {
  readonly name: string;
  readonly window: OfferWindow;
  readonly apiUploads: boolean;
  readonly createdAt: string;
  readonly codeCount: number;
}

/** One accepted upload of codes to an offer; the codes themselves stand in the blobs as `codes/<id>.json`. */
export interface OfferUpload extends Owned {
  readonly offerId: string;
  readonly distributionStart: string | null;
  readonly distributionStop: string | null;
  readonly codeCount: number;
  readonly duplicateCount: number;
  readonly receivedAt: string;
}

export type UploadState = 'initialized' | 'validating' | 'validated' | 'completed' | 'expired' | 'save_failed';

export type UploadEvent = 'fileReceived' | 'checked' | 'save' | 'saveFailed' | 'expire';

export interface CatalogIssue {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly lineNum: number;
  /** JSON pointer into the line, '' for the whole of it. */
  readonly pointer: string;
  /** The offending value, shortened; null where there is none to show. */
  readonly value: string | null;
}

/** A catalog upload (2.2). Its file stands in the blobs as `uploads/<id>`. */
export interface Upload extends Owned, Stateful<UploadState> {
  readonly validateOnly: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly bytes: number | null;
  readonly etag: string | null;
  readonly report: UploadReport | null;
  readonly productsProcessed: number | null;
}

/** What checking the file found. `issues` holds at most ten a kind, as the API shows; the rest stands beside the file. */
export interface UploadReport {
  readonly lines: number;
  readonly goodLines: number;
  readonly issueCount: number;
  readonly issues: readonly CatalogIssue[];
}

export type PrivacyState = 'received' | 'processing' | 'processed';
export type PrivacyEvent = 'start' | 'finish';

/** A deletion request; `id` is alphanumeric (2.4). */
export interface PrivacyRequest extends Owned, Stateful<PrivacyState> {
  readonly subjectPhone: string | null;
  readonly subjectEmail: string | null;
  readonly clientUserId: string | null;
  readonly requestMsg: string | null;
  readonly requestedAt: string;
  readonly processingStartedAt: string | null;
  readonly processingEndedAt: string | null;
  readonly deletedUserIds: readonly string[];
}

/** A webhook registered by an app that a company installed (section 6, shapes 2.2). */
export interface Webhook extends Owned {
  readonly appId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly signingKey: string;
  /** The key before the last rotation; it signs too until its time (ISO) is over. */
  readonly previousKey: { readonly key: string; readonly until: string } | null;
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** Why the platform disabled it; null where somebody did, or where it is enabled. */
  readonly disabledReason: string | null;
  /** Since when nothing was accepted; null once something was. */
  readonly failingSince: string | null;
  /** How far its deliveries may go: this machine, also private networks, or anywhere. */
  readonly reach: Reach;
}

export type Reach = 'loopback' | 'private' | 'public';

export type DeliveryState = 'queued' | 'delivering' | 'delivered' | 'retrying' | 'failed' | 'paused';

export type DeliveryEvent =
  'send' | 'accepted' | 'refused' | 'giveUp' | 'interrupted' | 'retry' | 'pause' | 'resume' | 'abandon' | 'redeliver';

/** One try to deliver: what was sent (the body is the delivery's), what came back, or why nothing did. */
export interface DeliveryAttempt {
  readonly at: string;
  /** Real time, where `at` is the virtual one. */
  readonly wallAt: string;
  readonly durationMs: number;
  readonly request: { readonly url: string; readonly headers: { readonly [name: string]: string } };
  readonly response: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    /** The first 16 KB. */
    readonly body: string;
  } | null;
  /** Why the attempt failed, in a sentence; null where it was accepted. */
  readonly error: string | null;
}

/** One event on its way to one webhook, or to an address given by hand (then `webhookId` is null). */
export interface Delivery extends Owned, Stateful<DeliveryState> {
  readonly eventId: string;
  readonly type: string;
  readonly webhookId: string | null;
  readonly url: string;
  readonly reach: Reach;
  /** The exact text that is sent and signed. */
  readonly body: string;
  readonly createdAt: string;
  /** When the present series of attempts began; null before its first one. */
  readonly seriesStartedAt: string | null;
  readonly seriesAttempts: number;
  /** Only while retrying. */
  readonly nextAttemptAt: string | null;
  /** How many deliveries led to this one, see delivery/hops.ts. */
  readonly hops: number;
  readonly attemptCount: number;
  /** The newest thirty. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** Something the developer should know of: a webhook disabled by itself, a loop that was cut. */
export interface Notice extends StoredRecord {
  readonly companyId: string | null;
  readonly at: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** A link in a message or an event that leads on to `url` (sections 2.5, 8); `id` is the random part of its address. */
export interface ShortLink extends Owned {
  readonly userId: string;
  readonly url: string;
  readonly messageId: string | null;
  readonly eventId: string | null;
  readonly clicks: number;
  readonly createdAt: string;
}

/** What the platform would have sent to a person, or what they wrote back. Nothing of it leaves this machine. */
export interface Message extends Owned {
  readonly userId: string;
  readonly channel: Channel;
  readonly direction: 'out' | 'in';
  /** As payloads name it: ONE_TIME, CONFIRM_OPT_IN, OPT_OUT … (docs/platform.md, Webhook deliveries). */
  readonly type: string;
  readonly name: string;
  /** The person's phone or email. */
  readonly to: string;
  readonly text: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly links: readonly { readonly id: string; readonly url: string; readonly shortUrl: string }[];
  readonly sentAt: string;
  readonly opens: readonly string[];
  readonly clicks: readonly { readonly url: string; readonly at: string }[];
  /** What it came of, in words. */
  readonly cause: string;
}

/** What the emulator itself has to remember: `id` is the name of the setting. */
export interface Setting extends StoredRecord {
  readonly value: unknown;
}

/** Collection name → what it holds. */
export interface Collections {
  readonly companies: Company;
  readonly apps: App;
  readonly credentials: Credential;
  readonly authorizationCodes: AuthorizationCode;
  readonly users: User;
  readonly subscriptions: Subscription;
  readonly signUpUnits: SignUpUnit;
  readonly attributeDefinitions: AttributeDefinition;
  readonly attributeValues: AttributeValue;
  readonly events: InboundEvent;
  readonly offers: Offer;
  readonly offerUploads: OfferUpload;
  readonly uploads: Upload;
  readonly privacyRequests: PrivacyRequest;
  readonly webhooks: Webhook;
  readonly deliveries: Delivery;
  readonly platformNotices: Notice;
  readonly messages: Message;
  readonly shortLinks: ShortLink;
  readonly settings: Setting;
}

export type CollectionName = keyof Collections;

/** The order in which collections stand in the state file. A name missing here does not compile. */
export const collectionNames = Object.keys({
  companies: 0,
  apps: 0,
  credentials: 0,
  authorizationCodes: 0,
  users: 0,
  subscriptions: 0,
  signUpUnits: 0,
  attributeDefinitions: 0,
  attributeValues: 0,
  events: 0,
  offers: 0,
  offerUploads: 0,
  uploads: 0,
  privacyRequests: 0,
  webhooks: 0,
  deliveries: 0,
  platformNotices: 0,
  messages: 0,
  shortLinks: 0,
  settings: 0,
} satisfies Record<CollectionName, 0>) as readonly CollectionName[];

/**
 * The data model: the type of every kind of record that the platform keeps. Their shapes are in records/, and these
 * types follow from them. Times are ISO 8601 strings in UTC; ids are the platform's typed global ids unless said
 * otherwise. Everything except `companies` belongs to one company, and no company sees another's records.
 */
import type { View } from './contract/shape.ts';
import type { deliveryAttempt } from './records/deliveries.ts';
import type { RecordOf } from './records/definition.ts';
import { definitions } from './records/definitions.ts';
import type { catalogIssue, uploadReport } from './records/offers.ts';
import type { move, mover, source, toMovedShape } from './records/parts.ts';
import type { StoredRecord } from './records/stored-record.ts';

export type { StoredRecord } from './records/stored-record.ts';

type Records = typeof definitions;

export type Mover = View<typeof mover>;
export type Source = View<typeof source>;
export type Move = View<typeof move>;

export type AnyMoved = View<ReturnType<typeof toMovedShape<{ readonly type: 'string' }>>>;

/** One line of a record's history. `from` is null for the entry that created it. */
export type Moved<State extends string> = Omit<AnyMoved, 'from' | 'to'> & {
  readonly from: State | null;
  readonly to: State;
};

/** A record that moves through the states of a table (see machine/). `enteredAt`: when the current state began. */
export interface Stateful<State extends string> extends StoredRecord {
  readonly state: State;
  readonly enteredAt: string;
  readonly history: readonly Moved<State>[];
}

export type Company = RecordOf<Records['companies']>;
export type App = RecordOf<Records['apps']>;
export type Credential = RecordOf<Records['credentials']>;
export type AuthorizationCode = RecordOf<Records['authorizationCodes']>;
export type User = RecordOf<Records['users']>;
export type Address = User['addresses'][number];
export type Origin = Address['from'];
export type CustomIdentifier = User['customIdentifiers'][number];
export type Subscription = RecordOf<Records['subscriptions']>;
export type SubscriptionType = Subscription['type'];
export type Channel = Subscription['channel'];
export type SignUpUnit = RecordOf<Records['signUpUnits']>;
export type AttributeDefinition = RecordOf<Records['attributeDefinitions']>;
export type AttributeValue = RecordOf<Records['attributeValues']>;
export type InboundEvent = RecordOf<Records['events']>;
export type EventKind = InboundEvent['kind'];
export type Message = RecordOf<Records['messages']>;
export type ShortLink = RecordOf<Records['shortLinks']>;

export type Offer = RecordOf<Records['offers']>;
export type OfferWindow = Offer['window'];
export type OfferUpload = RecordOf<Records['offerUploads']>;

export type Upload = RecordOf<Records['uploads']>;
export type UploadReport = View<typeof uploadReport>;
export type CatalogIssue = View<typeof catalogIssue>;

export type PrivacyRequest = RecordOf<Records['privacyRequests']>;

export type Webhook = RecordOf<Records['webhooks']>;
export type Reach = Webhook['reach'];
export type ConnectionFailure = NonNullable<DeliveryAttempt['connectionFailure']>;
export type Delivery = RecordOf<Records['deliveries']>;
export type DeliveryState = Delivery['state'];
export type DeliveryAttempt = View<typeof deliveryAttempt>;

export type Notice = RecordOf<Records['platformNotices']>;
export type Setting = RecordOf<Records['settings']>;

/** Collection name → the type of its records. */
export type Collections = { readonly [Name in keyof Records]: RecordOf<Records[Name]> };

export type CollectionName = keyof Records;

/** The order in which collections are in the state file. */
export const collectionNames = Object.keys(definitions) as readonly CollectionName[];

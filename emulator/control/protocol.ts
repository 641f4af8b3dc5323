/** The control API's shapes, as the inspector, the test library and the command line see them. Types only. */
import type { UndoCode } from '../world/undo-codes.ts';
import type { RefusalView } from './contract/refusals.ts';

export type { CatalogRulesView, ProductView, ProductsView } from './contract/catalog.ts';
export type { FaultView, FaultsView, LimitsView } from './contract/faults.ts';
export type { EditView, PlaceView, RefusalView } from './contract/refusals.ts';
export type {
  CatalogIssuesView,
  NewUploadView,
  UploadChangesView,
  UploadFileView,
  UploadLineView,
} from './contract/uploads.ts';

/** One line of the list of requests. Times are ISO 8601; `at` is virtual, `wallAt` real. */
export interface RequestSummary {
  readonly id: string;
  readonly sequence: number;
  readonly at: string;
  readonly wallAt: string;
  readonly method: string;
  readonly url: string;
  readonly operation: string | null;
  readonly companyId: string | null;
  readonly credentialId: string | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly requestBytes: number;
  readonly rule: string | null;
  readonly failure: string | null;
  /** The fault that was asked for and struck it; `id` is `request` for one asked for by its own header. */
  readonly fault: { readonly id: string; readonly says: string } | null;
  /** Set where it came `ms` before the Retry-After of the request `askedBy` ended. */
  readonly early: { readonly askedBy: string; readonly ms: number } | null;
}

/** Bytes: as text where they are UTF-8, else in base64. `bytes` counts all that came, also those not kept. */
export interface BytesView {
  readonly encoding: 'utf8' | 'base64';
  readonly data: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface ChangeView {
  readonly kind: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One recorded request, whole. Credentials in headers are masked unless asked for with `?reveal=true`. */
export interface RequestView extends RequestSummary {
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly refusal: RefusalView | null;
  readonly notes: readonly string[];
  readonly changes: readonly ChangeView[];
  readonly request: { readonly headers: readonly (readonly [string, string])[]; readonly body: BytesView | null };
  readonly response: { readonly headers: { readonly [name: string]: string }; readonly body: BytesView | null };
}

/** A recorded, stored thing. `kind` is the collection's name in kebab-case: `privacy-requests`. */
export interface RecordView {
  readonly record: { readonly id: string };
  readonly state: string | null;
  readonly moves: readonly {
    readonly event: string;
    readonly to: string;
    /** Whether a hand may do it now; `why` says what it means, or why it may not. */
    readonly open: boolean;
    readonly why: string;
    readonly by: readonly MoverView[];
    /** When the clock does it, ISO; null where it does not. */
    readonly dueAt: string | null;
    readonly source: { readonly provenance: RefusalView['provenance']; readonly section: string };
  }[];
  /** Oldest first. */
  readonly history: readonly {
    readonly from: string | null;
    readonly event: string;
    readonly to: string;
    readonly by: MoverView;
    readonly at: string;
    readonly why: string;
  }[];
}

/** Who moves a record: an API call, the clock, the developer's hand, or work that finished. */
export type MoverView = 'call' | 'clock' | 'hand' | 'work';

/** The states of a kind of record and the moves between them. */
export interface MachineView {
  /** As in `GET /control/records/{kind}`. */
  readonly kind: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly rows: readonly {
    readonly from: string;
    readonly event: string;
    readonly to: string;
    readonly by: readonly MoverView[];
    readonly why: string;
    readonly section: string;
    readonly provenance: RefusalView['provenance'];
    /** The name of the delay after which the clock does it. */
    readonly after?: string;
  }[];
}

/** `GET /control/machines`. */
export interface MachinesView {
  readonly machines: readonly MachineView[];
}

/** What the stream sends, one SSE message a batch; the id of the message is the last `sequence` in it. */
export type StreamMessage =
  | { readonly type: 'requests'; readonly requests: readonly RequestSummary[] }
  | { readonly type: 'records'; readonly changes: readonly { readonly kind: string; readonly id: string }[] }
  | {
      readonly type: 'progress';
      readonly kind: string;
      readonly id: string;
      readonly done: number;
      readonly of: number;
    }
  | { readonly type: 'gap'; readonly skipped: number }
  | { readonly type: 'reset' }
  | { readonly type: 'notice'; readonly level: string; readonly text: string };

/** Something that time does, or did. `kind` and `id` name the record it moves, null where it is none. */
export interface DueView {
  readonly label: string;
  /** The same as a person reads it: `Retry of sms.subscribed`. */
  readonly says: string;
  /** ISO 8601 on the virtual clock. */
  readonly at: string;
  readonly kind: string | null;
  readonly id: string | null;
}

/** Where the virtual clock stands. */
export interface ClockView {
  readonly mode: 'real' | 'virtual' | 'frozen';
  /** ISO 8601. */
  readonly now: string;
  readonly wall: string;
  /** Virtual less real time, in milliseconds and as a length such as `30d`. */
  readonly offsetMs: number;
  readonly offset: string;
  /** Virtual milliseconds a real one. */
  readonly rate: number;
  readonly frozenAt: string | null;
  readonly pace: string;
  /** The next hundred of what waits for time, in due order. */
  readonly upcoming: readonly DueView[];
  readonly upcomingCount: number;
  /** What `{rewind: true}` would go back before. */
  readonly rewind: UndoableView | null;
}

/** The answer to a change of the clock. */
export interface ClockChangeView extends ClockView {
  /** What fell due on the way, in due order; the first thousand. */
  readonly fired: readonly DueView[];
  readonly firedCount: number;
  readonly rewound: UndoableView | null;
}

export interface PaceView {
  readonly pace: string;
  readonly paces: readonly string[];
  /** Delay name → milliseconds at this pace; null where only a hand moves. */
  readonly delays: { readonly [name: string]: number | null };
}

/** An act that can be undone. `takesBack` says whether undoing it also takes back what happened since. */
export interface UndoableView {
  /** What POST /control/undo takes; replies to what can be undone carry it in `x-sandbox-undo`. */
  readonly id: string;
  /** What it was, for programs; also in `x-sandbox-undo-code`. */
  readonly code: UndoCode;
  /** For people. */
  readonly says: string;
  readonly at: string;
  readonly takesBack: 'everything' | 'this';
}

/** The answer of GET /control/undo. */
export interface UndoListView {
  /** Newest first. */
  readonly acts: readonly UndoableView[];
  /** What was undone and can be done again, the next one first; empty once something else changed. */
  readonly redo: readonly UndoableView[];
}

/** The answer of POST /control/undo: `undone` is the sentence of the act. */
export interface UndoneView extends Omit<UndoableView, 'says'> {
  readonly undone: string;
}

/** The answer of POST /control/redo: `redone` is the sentence of the act. */
export interface RedoneView extends Omit<UndoableView, 'says'> {
  readonly redone: string;
}

/** A kept snapshot. */
export interface SnapshotView {
  readonly name: string;
  readonly bytes: number;
  readonly records: number;
  readonly format: number;
  readonly version: string;
  readonly savedAt: string;
  readonly wallAt: string;
}

/** The answer to a restore or an import. */
export interface RestoredView {
  readonly mode: 'replace' | 'merge';
  readonly records: number;
  /** Records whose secrets were masked in the file and are new now. */
  readonly renewedSecrets: readonly { readonly kind: string; readonly id: string }[];
  /** Of an imported file: deliveries that are paused, and webhooks that reach this machine only now. */
  readonly heldBack: { readonly deliveries: number; readonly webhooks: number };
}

/** Why a move was refused: 409. */
export interface IllegalMoveView {
  readonly message: string;
  readonly state: string;
  readonly event: string;
  /** The events that a hand may send now. */
  readonly open: readonly string[];
}

/** The answer to `POST /control/send`: the recorded request, and the status that came back; null where none came. */
export interface SentView {
  readonly requestId: string | null;
  readonly status: number | null;
}

/** What a first start shows. The keys are those of the demo world, which are public. */
export interface WelcomeView {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly companies: readonly { readonly id: string; readonly name: string }[];
  readonly demoKeys: readonly {
    readonly key: string;
    readonly app: string;
    readonly company: string;
    readonly scopes: readonly string[];
  }[];
}

/** What the inspector's frame shows of a company, and of the server, beside every view. */
export interface SummaryView {
  /** Kind (`privacy-requests`) → how many the company has. */
  readonly records: { readonly [kind: string]: number };
  /** `waiting` counts all that are still to be delivered, those between two attempts (`retrying`) among them. */
  readonly deliveries: { readonly waiting: number; readonly retrying: number; readonly failed: number };
  readonly uploadsUnderCheck: number;
  /** Those that still wait for requests, in the order in which they are tried. */
  readonly faults: readonly { readonly id: string; readonly operation: string; readonly says: string }[];
  /** The address on which the servers listen. */
  readonly host: string;
  /** False: other machines can reach them. */
  readonly loopback: boolean;
}

/** What holds since the start and can only be changed by another one, and what the platform's own spans of time are. */
export interface SettingsView {
  readonly start: {
    readonly port: number;
    readonly inspectorPort: number;
    readonly host: string;
    readonly allowHosts: readonly string[];
    /** Null: everything is in memory. */
    readonly dataDir: string | null;
    /** The file that filled the empty store, or would have. */
    readonly seed: string | null;
    readonly pace: string;
    readonly rateLimits: 'real' | 'off';
    /** What was chosen where the platform's behaviour is not known. */
    readonly choices: {
      readonly unknownFields: 'note' | 'refuse';
      readonly unknownUnsubscribe: 'refuse' | 'accept';
      readonly answers: 'helpful' | 'exact';
    };
    /** Recorded requests that are kept, in number and in bytes. */
    readonly record: { readonly exchanges: number; readonly bytes: number; readonly days: number };
  };
  /** Which clock payloads and signatures of webhooks show. */
  readonly webhookTime: 'wall' | 'virtual';
  /** Milliseconds, on the virtual clock but for `timeoutMs`. */
  readonly delivery: {
    readonly timeoutMs: number;
    readonly retryDelaysMs: readonly number[];
    readonly retryForMs: number;
    readonly disableAfterMs: number;
    readonly keyOverlapMs: number;
  };
  readonly spans: { readonly authorizationCodeMs: number; readonly uploadLinkMs: number; readonly journeysMs: number };
}

/** The answer to an act that can be undone. */
export interface DoneView {
  /** Of the record that was made, changed or deleted. */
  readonly id: string;
  /** The act as it stands in GET /control/undo. */
  readonly says: string;
}

/** The answer to a new company: its first app's key, whole. */
export interface NewCompanyView extends DoneView {
  readonly appId: string;
  readonly credentialId: string;
  readonly key: string;
}

/** The answer to a new app or a new key; `key` is null for a public app, which has none until it is installed. */
export interface NewKeyView extends DoneView {
  readonly key: string | null;
}

/** A page of an offer's codes; `total` counts those that match. */
export interface CodesView {
  readonly total: number;
  readonly codes: readonly { readonly code: string; readonly uploadId: string }[];
}

/** Whether an upload of codes with these dates would be taken. */
export interface DatesView {
  readonly accepted: boolean;
  readonly refusal: RefusalView | null;
}

/** Whom a deletion request matches now, and what would go with them. */
export interface PrivacyMatchesView {
  readonly people: readonly {
    readonly id: string;
    readonly phones: readonly string[];
    readonly emails: readonly string[];
    /** Kind → how many. */
    readonly kept: { readonly [kind: string]: number };
  }[];
}

/** A record that a search found, as a person calls it. */
export interface FoundView {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

/** One line of the list of people. `found` says which identifier matched the search where the line does not show it. */
export interface PersonLineView {
  readonly id: string;
  /** Phone, email or whatever else there is, the one that names the person best first; at most two. */
  readonly names: readonly string[];
  readonly found: { readonly by: string; readonly value: string } | null;
  /** On which channels at least one subscription stands. */
  readonly subscribed: readonly ('TEXT' | 'EMAIL')[];
}

/** A page of people, newest first; `total` counts those that match. */
export interface PeopleView {
  readonly total: number;
  readonly people: readonly PersonLineView[];
}

/** The recorded request that changed something; `operation` is null where it was none of the API's. */
export interface CauseView {
  readonly requestId: string;
  readonly operation: string | null;
}

/** Where something is known from: a request (`what` is its operation), the demo world, or nobody kept it. */
export interface OriginView {
  readonly by: 'request' | 'demo' | 'unknown';
  readonly what: string;
  readonly requestId: string | null;
}

/** A phone (it takes texts) or an email address of a person. */
export interface AddressView {
  readonly channel: 'TEXT' | 'EMAIL';
  readonly value: string;
  readonly since: string;
  readonly from: OriginView;
}

export interface PersonSubscriptionView {
  readonly id: string;
  /** The phone or email that is subscribed. */
  readonly address: string;
  readonly type: string;
  readonly channel: 'TEXT' | 'EMAIL';
  readonly status: 'subscribed' | 'unsubscribed';
  readonly updatedAt: string;
  /** The sign-up unit; null where there was none, or it is gone. */
  readonly unit: { readonly id: string; readonly name: string } | null;
  /** Of the newest attempt; null where no recorded request made it. */
  readonly cause: CauseView | null;
  /** Why there is no request: what the person wrote, for instance; null where nothing is known. */
  readonly by: string | null;
  readonly attempts: number;
}

export interface PersonAttributeView {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** The fixed set of values; null where any is taken. */
  readonly values: readonly string[] | null;
  readonly updatedAt: string;
  readonly cause: CauseView | null;
}

export interface MessageView {
  readonly id: string;
  readonly userId: string;
  readonly channel: 'TEXT' | 'EMAIL';
  readonly direction: 'out' | 'in';
  readonly type: string;
  readonly name: string;
  readonly to: string;
  readonly text: string;
  readonly subject: string | null;
  readonly html: string | null;
  readonly links: readonly { readonly id: string; readonly url: string; readonly shortUrl: string }[];
  readonly sentAt: string;
  readonly opens: readonly string[];
  readonly clicks: readonly { readonly url: string; readonly at: string }[];
  readonly cause: string;
}

/** A delivery that tells of a person; `messageId` where it tells of a message. */
export interface PersonDeliveryView {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly url: string;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly messageId: string | null;
}

/** All that is known of a person but their history, which is long. */
export interface PersonView {
  readonly person: {
    readonly id: string;
    readonly companyId: string;
    readonly externalId: number;
    /** In the order in which they became known. */
    readonly addresses: readonly AddressView[];
    readonly clientUserIds: readonly string[];
    readonly shopifyIds: readonly string[];
    readonly klaviyoIds: readonly string[];
    readonly customIdentifiers: readonly { readonly name: string; readonly value: string }[];
    /** Who became one with this person. */
    readonly merged: readonly {
      readonly id: string;
      readonly externalId: number;
      /** What they were called. */
      readonly name: string;
      readonly at: string;
      readonly from: OriginView;
    }[];
    readonly createdAt: string;
  };
  readonly cause: CauseView | null;
  readonly subscriptions: readonly PersonSubscriptionView[];
  readonly attributes: readonly PersonAttributeView[];
  /** The newest five hundred, oldest first. */
  readonly messages: readonly MessageView[];
  readonly messageCount: number;
  /** The newest five hundred, oldest first. */
  readonly deliveries: readonly PersonDeliveryView[];
  readonly deliveryCount: number;
  readonly privacyRequests: readonly { readonly id: string; readonly state: string; readonly requestedAt: string }[];
}

export type HistoryGroup = 'events' | 'messages' | 'deliveries' | 'changes';

/** Something that happened to a person, or that they did. */
export interface HistoryEntryView {
  readonly at: string;
  readonly group: HistoryGroup;
  /** What it is, for its icon. */
  readonly what:
    | 'known'
    | 'identified'
    | 'subscribed'
    | 'unsubscribed'
    | 'attribute'
    | 'event'
    | 'sent'
    | 'replied'
    | 'opened'
    | 'clicked'
    | 'delivery'
    | 'privacy';
  /** Whether the person did it. */
  readonly byPerson: boolean;
  readonly channel: 'TEXT' | 'EMAIL' | null;
  readonly says: string;
  /** Further words, muted: the state of a delivery, where a link led. */
  readonly detail: string | null;
  /** The record that tells more. */
  readonly kind: string;
  readonly id: string;
  readonly cause: CauseView | null;
}

/** A page of what happened to a person, newest first. */
export interface PersonHistoryView {
  readonly total: number;
  readonly counts: { readonly [group in HistoryGroup]: number };
  readonly entries: readonly HistoryEntryView[];
}

/** The answer to `POST /control/messages/{id}/acts`: what it did, what webhooks were told, and on what that rests. */
export interface ActView {
  readonly message: MessageView;
  readonly did: readonly string[];
  readonly published: readonly string[];
  readonly impliedBy: 'specification' | 'observed' | 'assumed';
  readonly says: string;
  readonly changes: readonly ChangeView[];
}

/** A person as a link: a phone, an email, or whatever else they are known by. */
export interface NamedPersonView {
  readonly id: string;
  readonly name: string;
}

/** A sign-up unit, and how many subscriptions that came through it stand or were ended. */
export interface UnitLineView {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly language: string;
  readonly country: string;
  readonly type: 'MARKETING' | 'TRANSACTIONAL' | 'CHECKOUT_ABANDONED';
  readonly subscribed: number;
  readonly unsubscribed: number;
}

/** Who subscribed through a sign-up unit; `total` counts also those not listed. */
export interface UnitPeopleView {
  readonly total: number;
  readonly people: readonly (NamedPersonView & {
    readonly channel: 'TEXT' | 'EMAIL';
    readonly status: 'subscribed' | 'unsubscribed';
    readonly updatedAt: string;
  })[];
}

/** An attribute, and how many people have a value of it. */
export interface AttributeLineView {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'date';
  /** The fixed set; null where any value is taken. */
  readonly values: readonly string[] | null;
  readonly origin: 'ui' | 'api';
  readonly createdAt: string;
  readonly people: number;
}

/** The values of an attribute, fixed ones that nobody has among them; `total` counts also those not listed. */
export interface AttributeValuesView {
  readonly total: number;
  readonly values: readonly {
    readonly value: string;
    readonly people: number;
    /** False for a value that people kept when the fixed set lost it. */
    readonly taken: boolean;
    /** A few of those who have it. */
    readonly some: readonly NamedPersonView[];
  }[];
}

/** The records that the inspector's views of records show as they are stored; secrets are masked. */
export type {
  App as AppRecord,
  AuthorizationCode as AuthorizationCodeRecord,
  Company as CompanyRecord,
  Credential as CredentialRecord,
  Offer as OfferRecord,
  OfferUpload as OfferUploadRecord,
  PrivacyRequest as PrivacyRequestRecord,
  Upload as UploadRecord,
} from '../records.ts';

export type DeliveryStateView = 'queued' | 'delivering' | 'delivered' | 'retrying' | 'failed' | 'paused';

export type DeliveryCountsView = { readonly [State in DeliveryStateView]: number };

/** How far deliveries may go: this machine, also private networks, or anywhere. */
export type ReachView = 'loopback' | 'private' | 'public';

/** A webhook with its keys, whole. `standardSecret` is the same key as libraries of Standard Webhooks take it. */
export interface WebhookView {
  readonly id: string;
  readonly companyId: string;
  readonly appId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly signingKey: string;
  readonly standardSecret: string;
  /** The key before the last rotation; it signs too until its time is over. */
  readonly previousKey: {
    readonly key: string;
    readonly standardSecret: string;
    readonly until: string;
    /** What a receiver must do until then, and why. */
    readonly advice: string;
  } | null;
  readonly createdAt: string;
  readonly enabled: boolean;
  readonly disabledAt: string | null;
  /** Why the platform disabled it; null where somebody did. */
  readonly disabledReason: string | null;
  /** Since when nothing was accepted. */
  readonly failingSince: string | null;
  readonly reach: ReachView;
}

/** A webhook in `GET /control/webhooks`. */
export interface WebhookLineView extends WebhookView {
  /** The recorded request that made it; null where there is none, or it was dropped. */
  readonly cause: CauseView | null;
  readonly deliveries: {
    readonly counts: DeliveryCountsView;
    /** The latest twenty, newest last. */
    readonly latest: readonly { readonly id: string; readonly state: DeliveryStateView; readonly type: string }[];
  };
}

/** A delivery in a list. `about` is whom it tells of, by phone or email. */
export interface DeliveryLineView {
  readonly id: string;
  readonly companyId: string;
  readonly eventId: string;
  readonly type: string;
  /** Null: it goes to an address given by hand. */
  readonly webhookId: string | null;
  readonly url: string;
  readonly state: DeliveryStateView;
  readonly about: string | null;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attemptCount: number;
  readonly attempts: readonly {
    readonly at: string;
    readonly wallAt: string;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

/** `GET /control/deliveries`: a page, newest last. `counts` are of all states, whichever was asked for. */
export interface DeliveriesView {
  readonly total: number;
  readonly counts: DeliveryCountsView;
  readonly deliveries: readonly DeliveryLineView[];
}

/** One try: what was sent (the body is the delivery's), and what came back or why nothing did. */
export interface DeliveryAttemptView {
  readonly at: string;
  readonly wallAt: string;
  readonly durationMs: number;
  readonly request: { readonly url: string; readonly headers: { readonly [name: string]: string } };
  readonly response: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    /** The first 16 KB. */
    readonly body: string;
  } | null;
  /** Why it was not accepted, as a sentence. */
  readonly error: string | null;
}

/** One delivery, whole. */
export interface DeliveryView extends Omit<DeliveryLineView, 'attempts'> {
  readonly reach: ReachView;
  /** The exact text that is sent and signed. */
  readonly body: string;
  /** The newest thirty; `attemptCount` counts all. */
  readonly attempts: readonly DeliveryAttemptView[];
  readonly history: readonly {
    readonly at: string;
    readonly by: string;
    readonly to: string;
    readonly why: string | null;
  }[];
  /** When it is tried if every further try fails, the next one first. */
  readonly plan: readonly string[];
  /** How far its webhook would have to reach for it; null where nothing was refused for that. */
  readonly asksReach: ReachView | null;
}

/** `GET /control/deliveries/{id}`. */
export interface DeliveryDetailView extends DeliveryView {
  /** The recorded request that caused it; null where there is none. */
  readonly cause: CauseView | null;
  readonly moves: RecordView['moves'];
}

/** An event type: when it is sent, the schema of its payload with provenance, an example. */
export interface EventTypeView {
  readonly type: string;
  readonly says: string;
  readonly provenance: RefusalView['provenance'];
  readonly schema: object;
  readonly example: object;
}

/** `POST /control/trigger/preview`: an event as it would be sent. */
export interface EventPreviewView {
  readonly type: string;
  readonly eventId: string;
  readonly payload: object;
  /** The exact text. */
  readonly body: string;
  /** Those for the first target; without any, as signed with the test key. */
  readonly headers: { readonly [name: string]: string };
  readonly targets: readonly {
    readonly webhookId: string | null;
    readonly url: string;
    readonly reach: ReachView;
    readonly headers: { readonly [name: string]: string };
  }[];
  readonly note: string | null;
  /** Which key signs it, and where to read that key. */
  readonly signedBy: string;
  /** Where the payload does not fit its schema; then it is refused when it is fired. */
  readonly misfit: { readonly pointer: string; readonly says: string } | null;
}

/** `POST /control/trigger`: what was sent, and how each receiver answered. */
export interface FiredView extends Omit<EventPreviewView, 'type' | 'misfit'> {
  readonly deliveries: readonly DeliveryView[];
}

/** `POST /control/gym`. */
export interface GymView {
  readonly seed: number;
  readonly acts: readonly string[];
  /** Which key signed, and where to read that key. */
  readonly signedBy: string;
  readonly events: readonly {
    readonly eventId: string;
    readonly type: string;
    readonly accepted: number;
    readonly sent: number;
  }[];
  readonly steps: readonly {
    /** From 0. */
    readonly event: number;
    readonly delayMs: number;
    /** The share of the body after which the connection was closed; null where all of it went. */
    readonly cutAt: number | null;
    /** Steps of one batch went at the same time. */
    readonly batch: number;
    readonly eventId: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly durationMs: number;
  }[];
}

/** The built-in receiver. */
export interface ReceiverView {
  readonly running: boolean;
  readonly url: string | null;
  readonly behaviour: { readonly status: number; readonly delayMs: number; readonly echo: boolean };
  /** The newest 200, oldest first. */
  readonly received: readonly {
    readonly at: string;
    readonly wallAt: string;
    readonly method: string;
    readonly path: string;
    readonly headers: { readonly [name: string]: string };
    readonly body: string;
    readonly status: number;
  }[];
}

export interface NoticeView {
  readonly id: string;
  readonly companyId: string | null;
  readonly at: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** `POST /control/signature/check`: which step of a signature that a receiver computed differs from what was sent. */
export interface SignatureCheckView {
  readonly scheme: 'x-attentive-hmac-sha256' | 'webhook-signature';
  readonly matches: boolean;
  readonly says: string;
  /** The header as it was sent. */
  readonly expected: string;
  readonly steps: readonly {
    readonly step: string;
    readonly state: 'same' | 'differs' | 'unknown';
    readonly says: string;
    readonly fix: string | null;
  }[];
}

/** A fault of Sandpiper's own. Times are ISO 8601; `at` is virtual, `wallAt` real. */
export interface OwnErrorView {
  readonly id: string;
  readonly at: string;
  readonly wallAt: string;
  /** The request that was under way; null where it was none. */
  readonly requestId: string | null;
  /** The message and the stack. */
  readonly text: string;
}

/** How a request is known to be a handler's: it passed a header of the delivery on, or came while one was answered. */
export type TieView = 'header' | 'time';

/** `GET /control/requests/{id}/chain`: what a request led to, and what it was an answer to. */
export interface ChainView {
  /** The delivery that a handler was at when it sent this request. */
  readonly cause: {
    readonly deliveryId: string;
    readonly type: string;
    readonly url: string;
    readonly attempt: number;
    readonly afterMs: number;
    readonly tie: TieView;
    /** The request that caused the delivery; null where it was fired by hand or is no longer recorded. */
    readonly request: RequestSummary | null;
  } | null;
  readonly deliveries: readonly {
    readonly id: string;
    readonly type: string;
    readonly url: string;
    readonly state: DeliveryStateView;
    readonly createdAt: string;
    readonly nextAttemptAt: string | null;
    readonly attemptCount: number;
    /** The newest thirty. */
    readonly attempts: DeliveryLineView['attempts'];
    readonly calls: readonly {
      readonly request: RequestSummary;
      /** From 1. */
      readonly attempt: number;
      /** From the begin of the attempt to the call. */
      readonly afterMs: number;
      readonly tie: TieView;
    }[];
  }[];
  /** Records that it changed and that moved on since, without it. */
  readonly later: readonly {
    readonly kind: string;
    readonly id: string;
    readonly state: string | null;
    readonly moves: readonly {
      readonly from: string | null;
      readonly to: string;
      readonly by: string;
      readonly at: string;
      readonly why: string;
    }[];
  }[];
}

/** `GET /control/first-steps`: when each was seen done, ISO 8601 of real time; null while it was not. */
export interface FirstStepsView {
  readonly arrived: string | null;
  readonly refused: string | null;
  /** An operation that had been refused was accepted. */
  readonly mended: string | null;
  readonly delivered: string | null;
  /** The clock was moved. */
  readonly moved: string | null;
  /** A message was opened, or a link in it. */
  readonly opened: string | null;
}

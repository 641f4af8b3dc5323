/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The interface of `sandpiper/testing`. It has only types, so that the package's declarations need no other package's.
 * Functions are properties, not methods: typed lint rules then let a test take them out of their object.
 */
import type { Answer, Arguments, Body, CallName, ChangeName, Query, Reply } from '../control/calls.ts';
import type { Kind, RecordOf, RecordView, StatefulKind } from '../control/contract/records.ts';
import type { RequestView } from '../control/contract/requests.ts';
import type { WorldDeclaration } from '../declared-world/schema.ts';
import type { Delivery } from '../records.ts';
import type { MoveNames, OperationName, RuleId } from './names.ts';

export type { MoveNames, OperationName, RuleId } from './names.ts';

/** How uploads, offers and privacy requests move on: at once, after short delays, or only by hand. */
type Pace = Body<'POST /control/pace'>['pace'];
type RateLimitMode = Body<'POST /control/limits'>['mode'];
type Choices = Reply<'GET /control/settings'>['start']['choices'];

/** The data of a sandbox: two companies with keys, people, offers and a public app; or nothing at all. */
export type WorldName = 'demo' | 'empty';

/** Each choice of the start is an option too. */
export interface SandboxOptions extends Partial<Choices> {
  /** How uploads, offers and privacy requests move on by themselves. Default `instant`. */
  readonly pace?: Pace;
  /** The name of a world, the path of a world file, or a world as `defineWorld` types it. Default `demo`. */
  readonly world?: WorldName | WorldDeclaration | (string & {});
  /** `real`: requests over the platform's documented limits are refused with 429. Default `off`. */
  readonly rateLimits?: RateLimitMode;
  /** `virtual`: webhooks show the time of `clock`, which receivers that check the age may refuse. Default `wall`. */
  readonly webhookTime?: Body<'POST /control/webhook-time'>['time'];
  /** `refuse`: unknown fields, and names that an object has twice, are refused with 400. Default `note`. */
  readonly unknownFields?: Choices['unknownFields'];
  /** `accept`: unsubscribing an unknown person is answered with 202, not 404. Default `refuse`. */
  readonly unknownUnsubscribe?: Choices['unknownUnsubscribe'];
  /** `exact`: errors as they were observed on the live host, without explanations. Default `helpful`. */
  readonly answers?: Choices['answers'];
}

/** The types of webhook events. */
export type EventType = TriggerInput['type'];

/** A complete recorded request, with its credentials as they were sent. */
export interface SandboxRequest extends RequestView {
  /** The operation that it called; null if there is none. */
  readonly operation: OperationName | null;
  /** The rule that refused it; null if none did. */
  readonly rule: RuleId | null;
  /** The URL without its query. */
  readonly path: string;
  /** The request's body: parsed if it is JSON or a form, undefined otherwise. */
  readonly sent: unknown;
  /** The reply's body: parsed if it is JSON, undefined otherwise. */
  readonly answered: unknown;
}

/** A filter of requests: all given conditions must be true. */
export interface RequestFields {
  readonly method?: string;
  /**
   * With or without the leading `/v1`. Without a query it matches any query; a RegExp gets the path without its query.
   */
  readonly path?: string | RegExp;
  /** An operation's name as the specification writes it: `POST /subscriptions`. */
  readonly operation?: OperationName;
  /** `429`, or a class such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx`;
  /** The rule that refused it, such as `auth.scope`. */
  readonly rule?: RuleId;
}

export type RequestFilter = RequestFields | ((request: SandboxRequest) => boolean);

/** A filter of deliveries: all given conditions must be true. */
export interface DeliveryFields {
  readonly type?: EventType;
  /** Without it, waiting ends when the first attempt is over: delivered, retrying, failed or paused. */
  readonly state?: Delivery['state'];
  readonly webhookId?: string;
  readonly eventId?: string;
}

export type DeliveryFilter = DeliveryFields | ((delivery: Delivery) => boolean);

export interface WaitOptions {
  /** Milliseconds of real time, even while the sandbox's clock is frozen. Default 3000. */
  readonly timeoutMs?: number;
}

export interface RequestWaitOptions extends WaitOptions {
  /** Only a request that came after this one counts. */
  readonly after?: { readonly sequence: number };
}

export interface DeliveryWaitOptions extends WaitOptions {
  /** Only a delivery that was made after this one counts. */
  readonly after?: { readonly id: string; readonly eventId: string };
}

/**
 * An event to fire. `subscriber` is a known person; by default that of the example. `payload` is merged into the
 * event's payload. `to` is a URL or the id of a webhook; by default all enabled webhooks that list the type. A URL at
 * which a webhook is registered means that webhook.
 */
export type TriggerInput = Body<'POST /control/trigger'>;

/** The result of firing an event, with its deliveries as they are after their first attempt. */
export type TriggerResult = Reply<'POST /control/trigger'>;

/**
 * A fault to set. Without `times` and `every` it applies once. `delay` is milliseconds of real time, or a duration such
 * as `2s`.
 */
export type FaultInput = Body<'POST /control/faults'> & { readonly operation: OperationName | '*' };

/** The time after a change of the clock, and the things that fell due on the way. */
type ClockChange = Reply<'POST /control/clock'>;

/** The virtual clock, which drives expiry, retries and delays. */
export interface SandboxClock {
  /** The current time, ISO 8601. */
  readonly now: () => string;
  /** Moves time forward by a duration such as `30d`, `12h` or `90s`. Resolves with what fell due on the way. */
  readonly advance: (length: string) => Promise<ClockChange>;
  /** @param time ISO 8601 */
  readonly set: (time: string) => Promise<ClockChange>;
  readonly freeze: (frozen?: boolean) => Promise<ClockChange>;
  /** @param rate virtual seconds in a real one, such as 60; 1 is real time */
  readonly rate: (rate: number) => Promise<ClockChange>;
  /** Goes back to real time. */
  readonly real: () => Promise<ClockChange>;
  /** Goes back to before the last `advance` or `set`, with the whole state of then. */
  readonly rewind: () => Promise<ClockChange>;
}

export interface SandboxSnapshots {
  /** Saves everything under a name. An existing snapshot with that name is replaced. */
  readonly save: (name: string) => Promise<Reply<'POST /control/snapshots'>>;
  readonly restore: (name: string) => Promise<Reply<'POST /control/snapshots/{name}/restore'>>;
}

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** The exact bytes, which a signature covers. */
  readonly raw: Uint8Array;
  /** The bytes as UTF-8 text. */
  readonly body: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown;
  /** The status of its answer. */
  readonly status: number;
}

export interface ReceiverAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  /** Milliseconds of real time before the answer. */
  readonly delayMs?: number;
}

export type ReceivedFilter =
  | {
      readonly method?: string;
      /** Without a query it matches any query; a RegExp gets the path without its query. */
      readonly path?: string | RegExp;
      readonly type?: EventType;
    }
  | ((request: ReceivedRequest) => boolean);

/** A real HTTP server on this machine that collects the requests that it gets. */
export interface SandboxReceiver {
  readonly url: string;
  /** All requests so far, oldest first. */
  readonly received: readonly ReceivedRequest[];
  /** Resolves with the oldest request that no `next` has taken yet, or with the next one to come. */
  readonly next: (filter?: ReceivedFilter, options?: WaitOptions) => Promise<ReceivedRequest>;
  /** Sets the answers from now on: one for each request, and the last one for all that follow. */
  readonly answerWith: (...answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]]) => void;
  readonly close: () => Promise<void>;
}

export type WebhookInput = Body<'POST /control/webhooks'>;

/** A webhook as its owner sees it, the signing key included. */
export type WebhookView = Reply<'POST /control/webhooks'>;

/** A delivery in a list: every attempt in one line. */
export type DeliveryLine = Reply<'POST /control/deliveries/{id}/redeliver'>;

/** A message to a person; with `force`, also to a person who is not subscribed. */
export type ComposeInput = Body<'POST /control/messages'>;

/** An act of a person on a message. `link` is the number of a clicked link, from 0; `text` is the text of a reply. */
export type MessageAct = Body<'POST /control/messages/{id}/acts'>;

/** The effects of an act, the events that it published, and the source that implies them. */
export type ActResult = Reply<'POST /control/messages/{id}/acts'>;

/** Events that arrive duplicated, reordered, delayed, at once and cut. The same seed gives the same order. */
export type GymInput = Body<'POST /control/gym'>;

/** The control API: each call by its name, and the common ones as functions. A refusal is an error with the API's own message. */
export interface SandboxControl {
  readonly url: string;
  readonly token: string;
  /** Makes a call, such as `call('GET /control/people/{id}', { params: { id } })`, with its own types. */
  readonly call: <Name extends CallName>(name: Name, ...request: Arguments<Name>) => Promise<Reply<Name>>;
  /**
   * Like `call`, for a call that changes something. Resolves with `reply`, and with `undo`: the id for `undo` below,
   * and a code for the change. It is undefined if there is nothing to undo.
   */
  readonly answer: <Name extends ChangeName>(name: Name, ...request: Arguments<Name>) => Promise<Answer<Name>>;
  /** Calls any path, without types. */
  readonly get: <T>(path: string) => Promise<T>;
  readonly post: <T>(path: string, body?: unknown) => Promise<T>;
  readonly delete: (path: string) => Promise<void>;
  /** All records of a kind such as `subscriptions`, secrets masked. */
  readonly records: {
    <K extends Kind>(kind: K): Promise<readonly RecordOf<K>[]>;
    <T>(kind: Kind): Promise<readonly T[]>;
  };
  /** A record with its state, history and the moves that are open. */
  readonly record: <K extends Kind>(kind: K, id: string) => Promise<RecordView<K>>;
  /** Moves a record by hand. */
  readonly move: <K extends StatefulKind>(kind: K, id: string, event: MoveNames[K]) => Promise<RecordView<K>>;
  readonly webhooks: () => Promise<Reply<'GET /control/webhooks'>['webhooks']>;
  readonly createWebhook: (input: WebhookInput) => Promise<WebhookView>;
  /** The deliveries that fit the filter, oldest first; without a `limit` the newest 99,999. */
  readonly deliveries: (filter?: Query<'GET /control/deliveries'>) => Promise<readonly DeliveryLine[]>;
  readonly redeliver: (deliveryId: string) => Promise<DeliveryLine>;
  /** Sets a new signing key. The old one also signs during the overlap, 24 h by default. */
  readonly rotate: (webhookId: string, overlap?: string) => Promise<WebhookView>;
  /** Sends events repeated, late and cut. Resolves with how often each was accepted. */
  readonly gym: (input: GymInput) => Promise<Reply<'POST /control/gym'>>;
  /** The simulated phone and inbox: the messages that fit the filter, oldest first; without a `limit` the newest 99,999. */
  readonly messages: (filter?: Query<'GET /control/messages'>) => Promise<Reply<'GET /control/messages'>['messages']>;
  readonly compose: (input: ComposeInput) => Promise<Reply<'POST /control/messages'>>;
  readonly act: (messageId: string, act: MessageAct) => Promise<ActResult>;
  /** Creates a separate API key; it has all scopes if none are given. */
  readonly createKey: (input: Body<'POST /control/credentials'>) => Promise<Reply<'POST /control/credentials'>>;
  readonly clock: () => Promise<Reply<'GET /control/clock'>>;
  readonly setPace: (pace: Pace) => Promise<Reply<'POST /control/pace'>>;
  readonly limits: () => Promise<Reply<'GET /control/limits'>>;
  readonly setLimits: (mode: RateLimitMode) => Promise<Reply<'POST /control/limits'>>;
  readonly clearFaults: () => Promise<void>;
  /** The changes that can be undone, and those that can be redone, each with its id and its code. */
  readonly undoList: () => Promise<Reply<'GET /control/undo'>>;
  /**
   * Undoes the newest change made by hand.
   * @param id the id of another change, from `answer` or `undoList`; with `andNewer`, newer changes are undone too
   */
  readonly undo: (id?: string, options?: { readonly andNewer?: boolean }) => Promise<Reply<'POST /control/undo'>>;
  /** Redoes the change that was undone last; possible until something else changes. */
  readonly redo: () => Promise<Reply<'POST /control/redo'>>;
}

/** An isolated platform on free ports of this machine, in memory. */
export interface Sandbox {
  /** `{base_url}`, ends in /v1. */
  readonly apiUrl: string;
  /** `{auth_url}`, and the root of the object store. */
  readonly authUrl: string;
  readonly graphqlUrl: string;
  /** In a browser, with `#token=` and the token after it: the inspector of this sandbox. */
  readonly inspectorUrl: string;
  /** The control API's bearer token. */
  readonly token: string;
  /**
   * An API key of the demo world, with all scopes; in another world its first key. It is the same after `reset()`.
   * @throws if the world has no key
   */
  readonly key: string;
  /**
   * The variables that `sandpiper env` prints, for a program under test. If the world has no key, they have none
   * either.
   */
  readonly env: { readonly [name: string]: string };
  readonly control: SandboxControl;
  readonly clock: SandboxClock;
  readonly snapshot: SandboxSnapshots;
  /** The requests that came so far, oldest first. */
  readonly requests: (filter?: RequestFilter) => readonly SandboxRequest[];
  /**
   * Resolves with the first request that fits, which may have come already. The error of a timeout says what came
   * instead.
   */
  readonly waitForRequest: (filter: RequestFilter, options?: RequestWaitOptions) => Promise<SandboxRequest>;
  readonly deliveries: (filter?: DeliveryFilter) => readonly Delivery[];
  /**
   * Resolves with the first delivery that fits, which may fit already. The error of a timeout says what happened
   * instead.
   */
  readonly waitForDelivery: (filter: DeliveryFilter, options?: DeliveryWaitOptions) => Promise<Delivery>;
  /** Resolves with a record of a kind such as `uploads`, once it is in a state such as `completed`. */
  readonly waitForState: <K extends StatefulKind>(
    kind: K,
    id: string,
    state: RecordOf<K>['state'],
    options?: WaitOptions,
  ) => Promise<RecordView<K>>;
  /** Fires a webhook event. Resolves after the first attempt of each delivery. */
  readonly trigger: (input: TriggerInput) => Promise<TriggerResult>;
  readonly fault: (input: FaultInput) => Promise<Reply<'POST /control/faults'>>;
  readonly receiver: () => Promise<SandboxReceiver>;
  /**
   * Does what a person does on an app's install page: chooses a company and approves. Resolves with the URL to which
   * the browser is then redirected, the app's callback, which is not called.
   */
  readonly decideInstall: (
    installUrl: string,
    decision?: { readonly company?: string; readonly approve?: boolean },
  ) => Promise<string>;
  /** Goes back to the start: its world, pace, rate limits and clock of webhooks, nothing recorded, no faults, real time. */
  readonly reset: (world?: WorldName) => Promise<void>;
  /** Ends the sandbox and its receivers; nothing is left running. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

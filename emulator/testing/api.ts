/// <reference lib="esnext.disposable" preserve="true" />
/** What `sandpiper/testing` offers. Types only, so that the package's declarations need no other package's. */
import type {
  TapView,
  ClockChangeView,
  ClockView,
  FaultView,
  GymView,
  LimitsView,
  PaceView,
  RecordView,
  RedoneView,
  RequestView,
  RestoredView,
  SnapshotView,
  UndoListView,
  UndoneView,
} from '../control/protocol.ts';
import type { Credential, Delivery, DeliveryState, Message, Reach, Webhook } from '../records.ts';

/** The world that a sandbox holds: two companies with keys, people, offers and a public app; or nothing at all. */
export type WorldName = 'demo' | 'empty';

export interface SandboxOptions {
  /** How uploads, offers and privacy requests move on by themselves. Default `instant`. */
  readonly pace?: 'instant' | 'realistic' | 'manual';
  /** Default `demo`. */
  readonly world?: WorldName;
  /** `real`: requests over the platform's documented limits are refused with 429. Default `off`. */
  readonly rateLimits?: 'real' | 'off';
  /** `refuse`: fields that no operation names are refused with 400. Default `note`. */
  readonly unknownFields?: 'note' | 'refuse';
  /** `accept`: unsubscribing somebody unknown is answered with 202, not 404. Default `refuse`. */
  readonly unknownUnsubscribe?: 'refuse' | 'accept';
  /** `exact`: errors as they were observed on the live host, without explanations. Default `helpful`. */
  readonly answers?: 'helpful' | 'exact';
}

/** The types of webhook events. */
export type EventType =
  | 'sms.subscribed'
  | 'sms.sent'
  | 'sms.message_link_click'
  | 'email.subscribed'
  | 'email.unsubscribed'
  | 'email.message_link_click'
  | 'email.opened'
  | 'custom_attribute.set'
  | 'sms.unsubscribed'
  | 'email.sent'
  | 'sms.inbound_message';

/** A recorded request, whole, with its credentials as they were sent. */
export interface SandboxRequest extends RequestView {
  /** The URL without its query. */
  readonly path: string;
  /** The request's body: parsed where it is JSON or a form, undefined otherwise. */
  readonly sent: unknown;
  /** The answer's body: parsed where it is JSON, undefined otherwise. */
  readonly answered: unknown;
}

/** All that are given must hold. */
export interface RequestFields {
  readonly method?: string;
  /** Without the query; with or without the leading `/v1`. */
  readonly path?: string | RegExp;
  /** An operation's name as the specification writes it: `POST /subscriptions`. */
  readonly operation?: string;
  /** `429`, or a class such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx`;
  /** The rule that refused it, such as `auth.scope`. */
  readonly rule?: string;
}

export type RequestFilter = RequestFields | ((request: SandboxRequest) => boolean);

/** All that are given must hold. */
export interface DeliveryFields {
  readonly type?: EventType;
  /** Without it, waiting ends when the first attempt is over: delivered, retrying, failed or paused. */
  readonly state?: DeliveryState;
  readonly webhookId?: string;
  readonly eventId?: string;
}

export type DeliveryFilter = DeliveryFields | ((delivery: Delivery) => boolean);

export interface WaitOptions {
  /** Milliseconds of real time, also while the sandbox's clock stands still. Default 3000. */
  readonly timeoutMs?: number;
}

export interface RequestWaitOptions extends WaitOptions {
  /** Only a request that came after this one counts. */
  readonly after?: { readonly sequence: number };
}

export interface TriggerInput {
  readonly type: EventType;
  /** Who it is about, a known person; the one of the example if not given. */
  readonly subscriber?: { readonly phone?: string; readonly email?: string };
  /** A message of the simulated phone and inbox; for events about messages. */
  readonly messageId?: string;
  /** Laid over the payload: objects member by member, lists and values replace. */
  readonly payload?: { readonly [name: string]: unknown };
  /** A URL or a webhook's id; a URL at which a webhook is registered means that webhook. All enabled webhooks that list the type if not given. */
  readonly to?: string;
  readonly companyId?: string;
  /** For a URL: how far it may lead away from this machine. Default `loopback`. */
  readonly reach?: Reach;
  readonly dryRun?: boolean;
}

/** What firing an event brought about. */
export interface TriggerResult {
  readonly eventId: string;
  readonly payload: { readonly [name: string]: unknown };
  /** The exact text that is sent. */
  readonly body: string;
  /** Those for the first target; without any, as signed with the test key. */
  readonly headers: { readonly [name: string]: string };
  readonly targets: readonly {
    readonly webhookId: string | null;
    readonly url: string;
    readonly headers: { readonly [name: string]: string };
  }[];
  /** As they stand after their first attempt; none of a dry run. */
  readonly deliveries: readonly Delivery[];
  /** What may surprise: nobody listens, the webhook does not list the type. */
  readonly note: string | null;
  /** Which key signs it, and where to read that key. */
  readonly signedBy: string;
}

/** Without `times` and `every` it strikes once. */
export interface FaultInput {
  /** An operation such as `GET /me`, or `*`. */
  readonly operation: string;
  /** 400 to 599, answered in the dialect of the operation. */
  readonly status?: number;
  /** Seconds, sent as Retry-After with the status. */
  readonly retryAfter?: number;
  /** Real time: milliseconds, or a length such as `2s`. */
  readonly delay?: number | string;
  /** The body ends half-way, or after so many bytes. */
  readonly cut?: boolean | number;
  readonly reset?: boolean;
  /** The request is handled and its changes stay; then the fault strikes. */
  readonly after?: boolean;
  readonly times?: number;
  readonly every?: number;
}

/** The virtual clock, which drives expiry, retries and delays. */
export interface SandboxClock {
  /** ISO 8601. */
  now(): string;
  /** Moves time on by a length such as `30d`, `12h` or `90s`; answers with what fell due on the way. */
  advance(length: string): Promise<ClockChangeView>;
  /** @param time ISO 8601 */
  set(time: string): Promise<ClockChangeView>;
  freeze(frozen?: boolean): Promise<ClockChangeView>;
  /** @param rate virtual seconds in a real one, such as 60; 1 is real time */
  rate(rate: number): Promise<ClockChangeView>;
  /** Back to real time. */
  real(): Promise<ClockChangeView>;
  /** Back to before the last `advance` or `set`, with all that was. */
  rewind(): Promise<ClockChangeView>;
}

export interface SandboxSnapshots {
  /** Keeps everything under a name; one of that name is replaced. */
  save(name: string): Promise<SnapshotView>;
  restore(name: string): Promise<RestoredView>;
}

/** What a receiver got. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** The exact bytes, which a signature covers. */
  readonly raw: Uint8Array;
  /** The same as UTF-8 text. */
  readonly body: string;
  /** The body parsed as JSON; undefined where it is none. */
  readonly json: unknown;
  /** What it was answered with. */
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
  | { readonly method?: string; readonly path?: string; readonly type?: EventType }
  | ((request: ReceivedRequest) => boolean);

/** A real HTTP server on this machine that collects what it is sent. */
export interface SandboxReceiver {
  readonly url: string;
  /** Everything so far, oldest first. */
  readonly received: readonly ReceivedRequest[];
  /** The oldest that no `next` has taken yet, or the next one to come. */
  next(filter?: ReceivedFilter, options?: WaitOptions): Promise<ReceivedRequest>;
  /** How to answer from now on: one answer each, the last one for all that follow. */
  answerWith(...answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]]): void;
  close(): Promise<void>;
}

export interface WebhookInput {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly signingKey?: string;
  readonly reach?: Reach;
  readonly companyId?: string;
  readonly appId?: string;
}

/** A webhook as its owner sees it, the signing key included. */
export interface WebhookView extends Webhook {
  /** The same key as libraries of Standard Webhooks take it. */
  readonly standardSecret: string;
  readonly enabled: boolean;
}

/** A delivery in a list: every attempt in one line. */
export interface DeliveryLine extends Pick<
  Delivery,
  'id' | 'companyId' | 'eventId' | 'type' | 'webhookId' | 'url' | 'state' | 'createdAt' | 'nextAttemptAt'
> {
  readonly attemptCount: number;
  readonly attempts: readonly {
    readonly at: string;
    readonly wallAt: string;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

export interface ComposeInput {
  readonly subscriber: { readonly phone?: string; readonly email?: string };
  readonly channel: 'TEXT' | 'EMAIL';
  readonly text: string;
  readonly name?: string;
  /** Of an email. */
  readonly subject?: string;
  readonly html?: string;
  /** Also to a person who is not subscribed. */
  readonly force?: boolean;
  readonly companyId?: string;
}

/** What a person does with a message. `link` counts from 0. */
export type MessageAct =
  | { readonly act: 'open' | 'unsubscribe' }
  | { readonly act: 'click'; readonly link?: number }
  | { readonly act: 'reply'; readonly text: string };

/** What an act did, the events it published, and what implies that. */
export type ActResult = TapView;

/** What a receiver made of events that came duplicated, reordered, delayed, at once and cut. */
export interface GymInput {
  /** A URL or a webhook's id. */
  readonly to: string;
  /** The same seed gives the same order. Default 1. */
  readonly seed?: number;
  readonly acts?: readonly ('duplicate' | 'reorder' | 'delay' | 'concurrent' | 'cut')[];
  /** How many different events, 1 to 200. Default 10. */
  readonly count?: number;
  readonly types?: readonly EventType[];
  readonly reach?: Reach;
}

/** The control API: any path of it, and the common ones by name. A refusal is an error with the API's own message. */
export interface SandboxControl {
  readonly url: string;
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete(path: string): Promise<void>;
  /** The records of a kind such as `subscriptions`, secrets masked; the first thousand. */
  records<T = { readonly id: string }>(kind: string): Promise<readonly T[]>;
  /** A record with its state, history and the moves that are open. */
  record(kind: string, id: string): Promise<RecordView>;
  /** Moves a record by hand. */
  move(kind: string, id: string, event: string): Promise<RecordView>;
  webhooks(): Promise<readonly WebhookView[]>;
  createWebhook(input: WebhookInput): Promise<WebhookView>;
  deliveries(filter?: DeliveryFields): Promise<readonly DeliveryLine[]>;
  redeliver(deliveryId: string): Promise<DeliveryLine>;
  /** A new signing key; the old one signs too while the overlap lasts, 24 h if not given. */
  rotate(webhookId: string, overlap?: string): Promise<WebhookView>;
  /** Sends events as they come on a bad day; answers how often each was accepted. */
  gym(input: GymInput): Promise<GymView>;
  /** The simulated phone and inbox. */
  messages(filter?: {
    readonly phone?: string;
    readonly email?: string;
    readonly channel?: 'TEXT' | 'EMAIL';
    readonly direction?: 'in' | 'out';
  }): Promise<readonly Message[]>;
  compose(input: ComposeInput): Promise<Message>;
  act(messageId: string, act: MessageAct): Promise<ActResult>;
  /** An API key of its own; all scopes if none are given. */
  createKey(input: {
    readonly companyId: string;
    readonly name?: string;
    readonly scopes?: readonly string[];
    readonly secret?: string;
  }): Promise<Credential>;
  clock(): Promise<ClockView>;
  setPace(pace: 'instant' | 'realistic' | 'manual'): Promise<PaceView>;
  limits(): Promise<LimitsView>;
  setLimits(mode: 'real' | 'off'): Promise<LimitsView>;
  clearFaults(): Promise<void>;
  /** What can be undone and what can be done again, each with its id and its code. */
  undoList(): Promise<UndoListView>;
  /**
   * Undoes the newest change made by hand.
   * @param id of another one, as `undoList` or the reply header `x-sandbox-undo` names it; with `andNewer` also what came after it
   */
  undo(id?: string, options?: { readonly andNewer?: boolean }): Promise<UndoneView>;
  /** Does again what was undone last; possible until something else changes. */
  redo(): Promise<RedoneView>;
}

/** An isolated platform on free ports of this machine, in memory. */
export interface Sandbox {
  /** `{base_url}`, ends in /v1. */
  readonly apiUrl: string;
  /** `{auth_url}`, and the root of the object store. */
  readonly authUrl: string;
  readonly graphqlUrl: string;
  readonly inspectorUrl: string;
  /** The control API's bearer token. */
  readonly token: string;
  /** An API key of the demo world, with all scopes. */
  readonly key: string;
  /** The variables that `sandpiper env` prints, for a program under test. */
  readonly env: { readonly [name: string]: string };
  readonly control: SandboxControl;
  readonly clock: SandboxClock;
  readonly snapshot: SandboxSnapshots;
  /** What came in so far, oldest first. */
  requests(filter?: RequestFilter): readonly SandboxRequest[];
  /** The first request that fits, which may have come already. The error of a timeout says what came instead. */
  waitForRequest(filter: RequestFilter, options?: RequestWaitOptions): Promise<SandboxRequest>;
  deliveries(filter?: DeliveryFilter): readonly Delivery[];
  /** The first delivery that fits, which may be so already. The error of a timeout says what happened instead. */
  waitForDelivery(filter: DeliveryFilter, options?: WaitOptions): Promise<Delivery>;
  /** A record of a kind such as `uploads`, once it is in a state such as `completed`. */
  waitForState(kind: string, id: string, state: string, options?: WaitOptions): Promise<RecordView>;
  /** Fires a webhook event; answers after the first attempt of each delivery. */
  trigger(input: TriggerInput): Promise<TriggerResult>;
  fault(input: FaultInput): Promise<FaultView>;
  receiver(): Promise<SandboxReceiver>;
  /**
   * What a person does on the install page to which an app leads: chooses a company and approves. Answers with the URL
   * to which the browser is then led, the app's callback; nobody calls that.
   */
  decideInstall(
    installUrl: string,
    decision?: { readonly company?: string; readonly approve?: boolean },
  ): Promise<string>;
  /** Back to the start: its world, nothing recorded, no faults, real time. */
  reset(world?: WorldName): Promise<void>;
  /** Ends it and its receivers; nothing is left running. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

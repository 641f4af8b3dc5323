import type { Schema } from '../../contract/schema.ts';
import type { Deps } from '../../deps.ts';
import type { EventUser } from '../../people/event-user.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import type {
  Channel,
  CustomIdentifier,
  InboundEvent,
  Subscription,
  SubscriptionType,
  Webhook,
} from '../../records.ts';

/** An operation that REST has too: the same scope, the same contract of the input, the same function. */
export interface SharedOperation<Body, Outcome> {
  /** The REST operation whose scope and body contract hold here as well. */
  readonly operation: Endpoint;
  /** The contract of the body, if the schema of GraphQL asks for less than REST. */
  readonly contract?: Schema;
  /**
   * Runs the operation, inside a transaction. `now` in epoch milliseconds; `note` keeps a remark on the recorded
   * request.
   */
  run(deps: Deps, caller: Caller, body: Body, now: number, note: (remark: string) => void): Outcome;
}

// Types, not interfaces: only types have the implicit index signature that REST's further members need.

export type CustomEventInput = {
  readonly type: string;
  readonly user: EventUser;
  readonly properties: { readonly [key: string]: unknown };
  readonly mediaUrl?: string | null;
  readonly externalEventId: string;
  readonly occurredAt?: string | null;
};

export type EcommerceInput = {
  readonly user: EventUser;
  readonly occurredAt?: string | null;
  readonly items: {
    readonly productId: string;
    readonly productVariantId: string;
    readonly price: { readonly value: number; readonly currency: string }[];
    readonly productImage?: string;
    readonly name?: string;
    readonly quantity?: number;
  }[];
};

export type AttributesInput = {
  readonly user: EventUser;
  readonly properties: { readonly [name: string]: unknown };
};

type Contact = { readonly phone?: string; readonly email?: string };

export type SubscribeInput = {
  readonly user: Contact;
  readonly externalIdentifiers?: {
    readonly clientUserId?: string;
    readonly shopifyId?: string;
    readonly klaviyoId?: string;
    readonly customIdentifiers?: { readonly name: string; readonly value: string }[];
  };
  readonly signUpSourceId?: string;
  readonly locale?: { readonly language: string; readonly country: string };
  readonly subscriptionType?: SubscriptionType;
  readonly singleOptIn: boolean;
};

export type UnsubscribeInput = {
  readonly user: Contact;
  readonly subscriptions?: { readonly type: SubscriptionType; readonly channel: Channel }[];
  readonly notification?: { readonly language?: 'en-US' | 'fr-CA'; readonly disabled: boolean };
};

/** The addresses by which a request named the person. */
interface Named {
  readonly phone: string | null;
  readonly email: string | null;
}

export interface SubscribeOutcome {
  readonly identifiers: {
    readonly clientUserId?: string;
    readonly shopifyId?: string;
    readonly klaviyoId?: string;
    readonly customIdentifiers?: readonly CustomIdentifier[];
  };
  readonly results: readonly { readonly subscription: Subscription }[];
}

export interface UnsubscribeOutcome {
  readonly contact: Named;
  readonly results: readonly {
    readonly type: SubscriptionType;
    readonly channel: Channel;
    readonly subscription: Subscription | null;
  }[];
}

/**
 * The operations behind the mutations. Groups never import one another, so features/index.ts passes in those of the
 * others.
 */
export interface SharedOperations {
  /** If the event was sent before, `isNew` is false and `event` is the earlier one. */
  readonly customEvent: SharedOperation<CustomEventInput, { readonly event: InboundEvent; readonly isNew: boolean }>;
  readonly productView: SharedOperation<EcommerceInput, InboundEvent>;
  readonly addToCart: SharedOperation<EcommerceInput, InboundEvent>;
  readonly purchase: SharedOperation<EcommerceInput, InboundEvent>;
  readonly attributes: SharedOperation<AttributesInput, unknown>;
  readonly subscribe: SharedOperation<SubscribeInput, SubscribeOutcome>;
  readonly unsubscribe: SharedOperation<UnsubscribeInput, UnsubscribeOutcome>;
  readonly createWebhook: SharedOperation<{ readonly url: string; readonly events?: readonly string[] }, Webhook>;
  readonly updateWebhook: SharedOperation<
    { readonly id: string; readonly url: string; readonly events?: readonly string[]; readonly disabled: boolean },
    Webhook
  >;
  readonly deleteWebhook: SharedOperation<{ readonly id: string }, void>;
}

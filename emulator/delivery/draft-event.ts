/** An event as it would be sent: any type, about a chosen person, to any target, signed exactly like a real one. */
import type { Clock } from '../time/clock.ts';
import { toValidator } from '../contract/validate.ts';
import { UserError } from '../errors.ts';
import type { Company, Reach, User, Webhook } from '../records.ts';
import { show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { Users } from '../people/users.ts';
import { newEventId } from './deliveries.ts';
import { eventSchemas, eventTypes, isEventType, type EventType } from '../contract/event-schemas.ts';
import { keysAt, shownNow, toHeaders } from './headers.ts';
import { examplePayload, overlay, toBody, toCompany, toSubscriber, type Payload } from './payloads.ts';
import { toSigner, webhookOf } from './receiver-of.ts';

export interface EventInput {
  readonly type: string;
  /** Who it is about; the person of the example if not given. */
  readonly subscriber?: { readonly phone?: string | undefined; readonly email?: string | undefined } | undefined;
  /** A message of the simulated phone and inbox; for events about messages. */
  readonly messageId?: string | undefined;
  /** Laid over the payload: objects member by member, lists and values replace. */
  readonly payload?: { readonly [name: string]: unknown } | undefined;
  /** The payload is used as it is, without fields of the example. */
  readonly whole?: boolean | undefined;
  /** Of an event that was sent before, or shown; a new one if not given. */
  readonly eventId?: string | undefined;
  /** A URL or a webhook's id; a URL at which a webhook is registered means that webhook. All enabled webhooks that list the type if not given. */
  readonly to?: string | undefined;
  /** Whose event it is; else the company of the webhook, else the first one. */
  readonly companyId?: string | undefined;
  /** For a URL: how far it may lead away from this machine. Default `loopback`. */
  readonly reach?: Reach | undefined;
}

export interface EventTarget {
  readonly webhookId: string | null;
  readonly url: string;
  readonly reach: Reach;
  readonly headers: { readonly [name: string]: string };
}

export interface EventDraft {
  readonly type: EventType;
  readonly companyId: string;
  readonly eventId: string;
  readonly payload: Payload;
  /** The exact text that would be sent. */
  readonly body: string;
  /** Those for the first target; without any, as signed with the test key. */
  readonly headers: { readonly [name: string]: string };
  readonly targets: readonly EventTarget[];
  /** Possible surprises: no webhook listens, or the webhook does not list the type. */
  readonly note: string | null;
  /** The key that signs it, and where to read that key. */
  readonly signedBy: string;
  /** Where the payload does not fit the schema of the event: then it is not to be sent. */
  readonly misfit: { readonly pointer: string; readonly says: string } | null;
}

export type DraftEvent = (input: EventInput) => Promise<EventDraft>;

export interface DraftDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  /** A stored message in the form of payloads; null if there is none with that id. */
  readonly messageFacts?: ((id: string) => { readonly [name: string]: unknown } | null) | undefined;
}

/** Creates the drafting of events. It throws UserError for a type, person, message, company or webhook that is not there. */
export function createDraftEvent({ store, clock, users, messageFacts }: DraftDeps): DraftEvent {
  return async (input) => {
    const type = toType(input.type);
    const { webhooks, url, note } = toTargets(store, input, type);
    const company = toCompanyOf(store, input, webhooks);
    const shown = shownNow(store, clock);
    const person = input.subscriber && toPerson(users, company.id, input.subscriber);
    const base = {
      ...examplePayload(type, shown),
      company: toCompany(company),
      ...(person ? { subscriber: toSubscriber(person, input.subscriber ?? {}) } : {}),
    };
    const under = input.whole ? {} : withMessage(base, input.messageId, messageFacts);
    const payload = overlay(under, input.payload ?? {}) as Payload;

    const body = toBody(payload);
    const eventId = input.eventId ?? newEventId();
    const draft = { body, eventId, hops: 1 };
    const now = clock.now();
    const targets = [
      ...webhooks.map((webhook) => ({ webhook, url: webhook.url, reach: webhook.reach })),
      ...(url === null ? [] : [{ webhook: null, url, reach: input.reach ?? 'loopback' }]),
    ].map(({ webhook, ...target }) => ({
      ...target,
      webhookId: webhook?.id ?? null,
      headers: toHeaders(draft, keysAt(webhook, now), shown),
    }));
    const headers = targets[0]?.headers ?? toHeaders(draft, keysAt(null, now), shown);
    const signedBy = toSigner(url === null ? webhooks : [null], now);
    const misfit = await toMisfit(type, payload);
    return { type, companyId: company.id, eventId, payload, body, headers, targets, note, signedBy, misfit };
  };
}

function toType(type: string): EventType {
  if (isEventType(type)) return type;
  throw new UserError(`The event type ${show(type)} is unknown (case counts). Known are ${eventTypes.join(', ')}.`);
}

function toTargets(
  store: Store,
  { to, companyId }: EventInput,
  type: EventType,
): { webhooks: readonly Webhook[]; url: string | null; note: string | null } {
  if (to === undefined) {
    const company = companyId ?? firstCompany(store)?.id;
    const webhooks = store.webhooks
      .records()
      .filter((one) => one.companyId === company && one.disabledAt === null && one.events.includes(type));
    return {
      webhooks,
      url: null,
      note:
        webhooks.length > 0
          ? null
          : `No enabled webhook of the company lists ${type}, so nothing is sent. Create one, or send it to an address.`,
    };
  }
  const webhook = webhookOf(store, to, companyId);
  if (webhook)
    return {
      webhooks: [webhook],
      url: null,
      note: webhook.events.includes(type)
        ? null
        : `The webhook to ${webhook.url} does not list ${type}; it gets it all the same, because it was named.`,
    };
  return { webhooks: [], url: to, note: null };
}

function toCompanyOf(store: Store, { companyId }: EventInput, webhooks: readonly Webhook[]): Company {
  const of = companyId ?? webhooks[0]?.companyId;
  const company = of === undefined ? firstCompany(store) : store.companies.get(of);
  if (!company)
    throw new UserError(
      of === undefined
        ? 'There is no company yet. Reset to the demo world, or restore a snapshot.'
        : `There is no company ${of}. "sandpiper records companies" lists them.`,
    );
  if (webhooks.some((webhook) => webhook.companyId !== company.id))
    throw new UserError(`The webhook is not one of the company ${company.id}. Leave companyId out.`);
  return company;
}

function firstCompany(store: Store): Company | undefined {
  const [company] = store.companies.all();
  return company;
}

function toPerson(users: Users, companyId: string, by: NonNullable<EventInput['subscriber']>): User {
  if (by.phone === undefined && by.email === undefined)
    throw new UserError('The subscriber has no address: give phone or email.');
  const [user] = users.find(companyId, by);
  if (user) return user;
  throw new UserError(
    `The company has no subscriber ${show(by)}. Subscribe the person first, or leave subscriber out to take the example's.`,
  );
}

function withMessage(payload: Payload, id: string | undefined, messageFacts: DraftDeps['messageFacts']): Payload {
  if (id === undefined) return payload;
  if (payload['message'] === undefined)
    throw new UserError(`${payload.type} is about no message; leave messageId out.`);
  const message = messageFacts?.(id) ?? null;
  if (message === null) throw new UserError(`There is no message ${show(id)}. "sandpiper messages" lists them.`);
  return { ...payload, message };
}

async function toMisfit(type: EventType, payload: unknown): Promise<EventDraft['misfit']> {
  const misfit = (await toValidator(eventSchemas[type]))(payload)[0];
  if (!misfit) return null;
  const { keyword, pointer, message, value } = misfit;
  if (keyword === 'required') return { pointer, says: 'it is missing' };
  if (keyword === 'additionalProperties') return { pointer, says: 'the schema has no such field' };
  return { pointer, says: `it ${message}, not ${show(value)}` };
}

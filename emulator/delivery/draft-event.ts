/** An event as it would be sent: any type, about a chosen person, to any target, signed exactly like a real one. */
import type { Clock } from '../time/clock.ts';
import type { View } from '../contract/shape.ts';
import { toValidator } from '../contract/validate.ts';
import { didYouMean } from '../errors.ts';
import type { Company, User, Webhook } from '../records.ts';
import { expected } from '../records/misfit.ts';
import { inBody, noSuch, refuse, show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { knownPhoneMeant, type Users } from '../people/users.ts';
import { newEventId } from './deliveries.ts';
import { eventSchemas, type EventType } from '../contract/event-schemas.ts';
import { keysAt, shownNow, toHeaders } from './headers.ts';
import { examplePayload, overlay, toBody, toCompany, toSubscriber, type Payload } from './payloads.ts';
import { toSigner, webhookOf } from './webhook-of.ts';
import { deliveryRules } from './rules.ts';
import type { eventDraft, EventInput, misfit } from './shapes.ts';

export interface EventDraft extends View<typeof eventDraft> {
  readonly type: EventType;
  readonly companyId: string;
  readonly payload: Payload;
  /** The first place where the payload does not fit the event's schema: then it must not be sent. Null if it fits. */
  readonly misfit: View<typeof misfit>;
}

export type DraftEvent = (input: EventInput) => Promise<EventDraft>;

export interface DraftDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  /** A stored message in the form of payloads; null if there is none with that id. */
  readonly messageFacts?: ((id: string) => { readonly [name: string]: unknown } | null) | undefined;
}

/** Creates the drafting of events. It refuses an unknown person, message, company or webhook. */
export function createDraftEvent({ store, clock, users, messageFacts }: DraftDeps): DraftEvent {
  return async (input) => {
    const { type } = input;
    const { webhooks, url, note } = toTargets(store, input, type);
    const company = toCompanyOf(store, input, webhooks);
    const shown = shownNow(store, clock);
    const person = input.subscriber && toPerson(users, company, input.subscriber);
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

function toTargets(
  store: Store,
  input: EventInput,
  type: EventType,
): { webhooks: readonly Webhook[]; url: string | null; note: string | null } {
  const { to, companyId } = input;
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
  const webhook = webhookOf(store, { ...input, to });
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
  const place = inBody('/companyId');
  if (!company)
    return of === undefined ? refuse(deliveryRules.noCompany, place, of, undefined) : noSuch('company', of, place);
  const foreign = webhooks.find((webhook) => webhook.companyId !== company.id);
  if (foreign)
    return refuse(deliveryRules.otherCompany, place, companyId, { webhookId: foreign.id, companyId: company.id });
  return company;
}

function firstCompany(store: Store): Company | undefined {
  const [company] = store.companies.all();
  return company;
}

function toPerson(users: Users, company: Company, by: NonNullable<EventInput['subscriber']>): User {
  const place = inBody('/subscriber');
  if (by.phone === undefined && by.email === undefined)
    return refuse(deliveryRules.subscriberAddress, place, by, undefined);
  const [user] = users.find(company.id, by);
  return (
    user ??
    refuse(deliveryRules.subscriber, place, by, {
      company: company.name,
      ...by,
      meant: knownPhoneMeant(users, company.id, by),
    })
  );
}

function withMessage(payload: Payload, id: string | undefined, messageFacts: DraftDeps['messageFacts']): Payload {
  if (id === undefined) return payload;
  const place = inBody('/messageId');
  if (payload['message'] === undefined)
    return refuse(deliveryRules.noMessage, place, id, { type: String(payload.type) });
  const message = messageFacts?.(id) ?? noSuch('message', id, place);
  return { ...payload, message };
}

async function toMisfit(type: EventType, payload: unknown): Promise<EventDraft['misfit']> {
  const misfit = (await toValidator(eventSchemas[type]))(payload)[0];
  if (!misfit) return null;
  const { keyword, pointer, params, value, schema } = misfit;
  if (keyword === 'required') return { pointer, says: 'it is missing' };
  if (keyword === 'additionalProperties') {
    const known = didYouMean(String(params['additionalProperty']), Object.keys(schema.properties ?? {}));
    return { pointer, says: `the schema has no such field. ${known.replace(/\.$/, '')}` };
  }
  return { pointer, says: `it must be ${expected(schema)}, not ${show(value)}` };
}

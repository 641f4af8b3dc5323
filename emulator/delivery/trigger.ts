/** Events fired on demand: any type, about a chosen person, to whom one likes, signed exactly like real ones. */
import type { Clock } from '../clock.ts';
import { toValidator } from '../contract/validate.ts';
import { UserError } from '../errors.ts';
import type { Company, Delivery, Reach, User, Webhook } from '../records.ts';
import { show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { Users } from '../users.ts';
import { newEventId, type Deliveries } from './deliveries.ts';
import { eventSchemas, eventTypes, isEventType, type EventType } from './event-schemas.ts';
import { keysAt, shownNow, toHead } from './head.ts';
import { examplePayload, overlay, toBody, toCompany, toSubscriber, type Payload } from './payloads.ts';

export interface TriggerInput {
  readonly type: string;
  /** Who it is about; the person of the example if not given. */
  readonly subscriber?: { readonly phone?: string | undefined; readonly email?: string | undefined } | undefined;
  /** A message of the simulated phone and inbox; for events about messages. */
  readonly messageId?: string | undefined;
  /** Laid over the payload: objects member by member, lists and values replace. */
  readonly payload?: { readonly [name: string]: unknown } | undefined;
  /** A URL or a webhook's id; all enabled webhooks that list the type if not given. */
  readonly to?: string | undefined;
  /** Whose event it is; else the company of the webhook, else the first one. */
  readonly companyId?: string | undefined;
  /** For a URL: how far it may lead away from this machine. Default `loopback`. */
  readonly reach?: Reach | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface TriggerTarget {
  readonly webhookId: string | null;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

export interface TriggerResult {
  readonly eventId: string;
  readonly payload: Payload;
  /** The exact text that is sent. */
  readonly body: string;
  /** Those for the first target; without any, as signed with the test key. */
  readonly headers: { readonly [name: string]: string };
  readonly targets: readonly TriggerTarget[];
  /** As they stand after their first attempt; none of a dry run. */
  readonly deliveries: readonly Delivery[];
  /** What may surprise: nobody listens, the webhook does not list the type. */
  readonly note: string | null;
}

export type Trigger = (input: TriggerInput) => Promise<TriggerResult>;

export interface TriggerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  readonly deliveries: Deliveries;
  /** A kept message as payloads name it; null where there is none of that id. */
  readonly messageFacts?: ((id: string) => { readonly [name: string]: unknown } | null) | undefined;
}

/**
 * Creates the trigger.
 * It throws UserError for a type, person, message, company or webhook that is not there, and for an override that does
 * not fit the schema of the event; the message names the JSON pointer.
 */
export function createTrigger({ store, clock, users, deliveries, messageFacts }: TriggerDeps): Trigger {
  return async (input) => {
    const type = toType(input.type);
    const { webhooks, url, note } = toTargets(store, input, type);
    const company = toCompanyOf(store, input, webhooks);
    const shown = shownNow(store, clock);
    const person = input.subscriber && toPerson(users, company.id, input.subscriber);
    const base = {
      ...examplePayload(type, shown),
      company: toCompany(company),
      ...(person ? { subscriber: toSubscriber(person) } : {}),
    };
    const payload = overlay(withMessage(base, input.messageId, messageFacts), input.payload ?? {}) as Payload;
    await checkFit(type, payload);

    const body = toBody(payload);
    const eventId = newEventId();
    const wanted = [
      ...webhooks.map((one) => ({ webhook: one, url: one.url })),
      ...(url === null ? [] : [{ webhook: null, url }]),
    ];
    const draft = { body, eventId, hops: 1 };
    const now = clock.now();
    const targets = wanted.map((one) => ({
      webhookId: one.webhook?.id ?? null,
      url: one.url,
      headers: toHead(draft, keysAt(one.webhook, now), shown),
    }));
    const headers = targets[0]?.headers ?? toHead(draft, keysAt(null, now), shown);
    const result = { eventId, payload, body, headers, targets, note };
    if (input.dryRun) return { ...result, deliveries: [] };

    const sent = deliveries.enqueue(
      targets.map((target, at) => ({
        eventId,
        type,
        companyId: company.id,
        webhookId: target.webhookId,
        url: target.url,
        reach: wanted[at]?.webhook?.reach ?? input.reach ?? 'loopback',
        body,
        why: 'It was fired by hand.',
      })),
    );
    const tried = await Promise.all(sent.map(({ id }) => deliveries.whenTried(id)));
    return { ...result, deliveries: tried.filter((one) => one !== null) };
  };
}

function toType(type: string): EventType {
  if (isEventType(type)) return type;
  throw new UserError(`The event type ${show(type)} is unknown (case counts). Known are ${eventTypes.join(', ')}.`);
}

function toTargets(
  store: Store,
  { to, companyId }: TriggerInput,
  type: EventType,
): { webhooks: readonly Webhook[]; url: string | null; note: string | null } {
  if (to === undefined) {
    const company = companyId ?? firstCompany(store)?.id;
    const webhooks = [...store.webhooks.all()].filter(
      (one) => one.companyId === company && one.disabledAt === null && one.events.includes(type),
    );
    return {
      webhooks,
      url: null,
      note:
        webhooks.length > 0
          ? null
          : `No enabled webhook of the company lists ${type}, so nothing is sent. Create one, or give "to".`,
    };
  }
  const webhook = store.webhooks.get(to);
  if (webhook) {
    if (webhook.disabledAt !== null)
      throw new UserError(
        `The webhook ${to} is disabled${webhook.disabledReason === null ? '' : ` (${webhook.disabledReason})`}. Enable it first.`,
      );
    return {
      webhooks: [webhook],
      url: null,
      note: webhook.events.includes(type)
        ? null
        : `The webhook ${to} does not list ${type}; it gets it all the same, because it was named.`,
    };
  }
  if (!/^[a-z][a-z0-9+.-]*:/i.test(to))
    throw new UserError(
      `${show(to)} is neither the id of a webhook nor a URL. GET /control/webhooks lists the webhooks.`,
    );
  return { webhooks: [], url: to, note: null };
}

function toCompanyOf(store: Store, { companyId }: TriggerInput, webhooks: readonly Webhook[]): Company {
  const of = companyId ?? webhooks[0]?.companyId;
  const company = of === undefined ? firstCompany(store) : store.companies.get(of);
  if (!company)
    throw new UserError(
      of === undefined
        ? 'There is no company yet. Reset to the demo world, or restore a snapshot.'
        : `There is no company ${of}. GET /control/records/companies lists them.`,
    );
  if (webhooks.some((webhook) => webhook.companyId !== company.id))
    throw new UserError(`The webhook is not one of the company ${company.id}. Leave companyId out.`);
  return company;
}

function firstCompany(store: Store): Company | undefined {
  const [company] = store.companies.all();
  return company;
}

function toPerson(users: Users, companyId: string, by: NonNullable<TriggerInput['subscriber']>): User {
  if (by.phone === undefined && by.email === undefined)
    throw new UserError('The subscriber names nobody: give phone or email.');
  const [user] = users.find(companyId, by);
  if (user) return user;
  throw new UserError(
    `The company has no subscriber ${show(by)}. Subscribe the person first, or leave subscriber out to take the example's.`,
  );
}

function withMessage(payload: Payload, id: string | undefined, messageFacts: TriggerDeps['messageFacts']): Payload {
  if (id === undefined) return payload;
  if (payload['message'] === undefined)
    throw new UserError(`${payload.type} is about no message; leave messageId out.`);
  const message = messageFacts?.(id) ?? null;
  if (message === null) throw new UserError(`There is no message ${show(id)}. GET /control/messages lists them.`);
  return { ...payload, message };
}

async function checkFit(type: EventType, payload: unknown): Promise<void> {
  const misfit = (await toValidator(eventSchemas[type]))(payload)[0];
  if (!misfit) return;
  throw new UserError(
    `The payload does not fit the schema of ${type} at ${misfit.pointer === '' ? 'its root' : misfit.pointer}: ${misfit.message}${misfit.value === undefined ? '' : `, not ${show(misfit.value)}`}. Nothing was sent.`,
  );
}

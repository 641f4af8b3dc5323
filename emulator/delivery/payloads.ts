/** The payloads of webhooks: each event as values and as the exact text (docs/platform.md, Webhook deliveries). */
import { isJsonObject } from '../contract/json-object.ts';
import { exampleOf } from '../contract/schema.ts';
import type { Company, User } from '../records.ts';
import { addressMeant, type Named } from '../people/addresses.ts';
import { eventSchemas, type Creative, type EventDetails, type EventType } from '../contract/event-schemas.ts';

/** Something that happened to a person and that webhooks may list. */
export type PlatformEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly user: User;
    /**
     * The addresses that the event is about. For a channel without one, the payload names the person's first address.
     */
    readonly about: Named;
    readonly details: EventDetails[T];
  };
}[EventType];

export interface Payload {
  readonly type: EventType;
  readonly timestamp: number;
  readonly company: { readonly display_name: string; readonly company_id: string };
  readonly subscriber: { readonly [name: string]: unknown };
  readonly [detail: string]: unknown;
}

/** The creative of a subscription that was made through the API (docs/platform.md, Webhook deliveries). */
export function apiCreative(name: string): Creative {
  return { name, type: 'API', subtype: 'DOUBLE_OPT_IN_AFFILIATE' };
}

/** The payload of an event. `timestamp` in epoch ms. */
export function toPayload(event: PlatformEvent, company: Pick<Company, 'id' | 'name'>, timestamp: number): Payload {
  return {
    type: event.type,
    timestamp,
    company: toCompany(company),
    subscriber: toSubscriber(event.user, event.about),
    ...event.details,
  };
}

/** The company as payloads name it. */
export function toCompany({ id, name }: Pick<Company, 'id' | 'name'>): Payload['company'] {
  return { display_name: name, company_id: id };
}

/**
 * The person as payloads name them: by the addresses that the event is about, else the first ones; without unknown
 * values.
 */
export function toSubscriber(user: User, about: Named): Payload['subscriber'] {
  const email = addressMeant(user, 'EMAIL', about);
  const phone = addressMeant(user, 'TEXT', about);
  const identifiers = toExternalIdentifiers(user);
  return {
    ...(email === null ? {} : { email }),
    ...(phone === null ? {} : { phone }),
    external_id: user.externalId,
    ...(identifiers === null ? {} : { external_identifiers: identifiers }),
  };
}

function toExternalIdentifiers(user: User): { readonly [name: string]: unknown } | null {
  const { klaviyoIds, shopifyIds, clientUserIds, customIdentifiers } = user;
  if (klaviyoIds.length + shopifyIds.length + clientUserIds.length + customIdentifiers.length === 0) return null;
  return {
    ...(klaviyoIds.length > 0 ? { klaviyo_id: klaviyoIds } : {}),
    ...(shopifyIds.length > 0 ? { shopify_id: shopifyIds } : {}),
    client_user_id: clientUserIds,
    // Lists, because a person may have several values of a name.
    custom_identifiers: Object.fromEntries(
      [...new Set(customIdentifiers.map(({ name }) => name))].map((name) => [
        name,
        customIdentifiers.flatMap((one) => (one.name === name ? [one.value] : [])),
      ]),
    ),
  };
}

/** The example payload of a type, with this time (epoch ms). It fits the schema of the type. */
export function examplePayload(type: EventType, timestamp: number): Payload {
  const { properties } = eventSchemas[type];
  const whole = { email: 'test@gmail.com', phone: '+15555555555', external_id: 16_467_358 };
  const values = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema)]));
  return { ...values, type, timestamp, subscriber: whole } as unknown as Payload;
}

/** The exact text that is sent and signed: compact JSON, because receivers hash `JSON.stringify` of the parsed body. */
export function toBody(payload: object): string {
  return JSON.stringify(payload);
}

/** A JSON object laid over another: objects are merged member by member, everything else (lists too) is replaced. */
export function overlay(under: unknown, over: unknown): unknown {
  if (!isJsonObject(under) || !isJsonObject(over)) return over;
  const merged = new Map(Object.entries(under));
  for (const [name, value] of Object.entries(over)) merged.set(name, overlay(merged.get(name), value));
  return Object.fromEntries(merged);
}

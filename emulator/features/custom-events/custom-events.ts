import { toIso } from '../../time/clock.ts';
import { observed, readsMore, withLimits, type Infer } from '../../contract/schema.ts';
import { escapePointer } from '../../contract/pointer.ts';
import { isWebUrl } from '../../contract/url.ts';
import type { Deps } from '../../deps.ts';
import { eventTimeRules, occurredAtSchema, readEventTime, tellAge } from '../../people/event-time.ts';
import { eventUserRules, eventUserSchema, readEventUser, toPerson } from '../../people/event-user.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { toGlobalId } from '../../ids.ts';
import { inBody, refuse, rulesOf, show } from '../../rules.ts';
import type { InboundEvent } from '../../records.ts';
import type { Identifiers } from '../../people/users.ts';
import { customEventRules, forbiddenInKey, forbiddenInType } from './rules.ts';

type Properties = { readonly [key: string]: unknown };
type Note = (remark: string) => void;

const body = {
  type: 'object',
  required: ['type', 'user'],
  properties: {
    type: withLimits(
      observed({ type: 'string', examples: ['Order Shipped'] }),
      { minLength: 1 },
      'The minimum is our choice: no journey could be built on an empty type.',
    ),
    user: observed(eventUserSchema),
    // A text, which GraphQL accepts, is read so that a rule can say what REST requires.
    properties: readsMore(observed({ type: ['object', 'string', 'null'], examples: [{ orderId: '54321' }] }), {
      type: ['object', 'null'],
    }),
    mediaUrl: observed({ type: ['string', 'null'], examples: ['https://cdn.example.com/image.png'] }),
    externalEventId: observed({ type: ['string', 'null'], examples: ['37fb97a9-6cfd-4983-bd65-68d104d53b70'] }),
    occurredAt: occurredAtSchema,
  },
} as const;

export type CustomEventBody = Infer<typeof body>;

/** Keys beyond these are stored but not usable (docs/platform.md, Custom events). */
const usableKeys = 200;

/** POST /events/custom (section 4, note 5; fields: section 2.5 and docs/platform.md, Custom events). */
export const createCustomEvent = endpoint({
  operationId: 'postCustomEvents',
  method: 'POST',
  path: '/events/custom',
  access: 'events:write',
  summary: 'Report what a person did, for segments and journeys',
  section: '4, note 5',
  provenance: 'documented',
  rules: rulesOf(customEventRules, eventUserRules, eventTimeRules),
  body,
  replies: { 200: null },
  handle({ body, caller, now, note }, deps) {
    recordCustomEvent(deps, caller, body, now, note);
    return { status: 200, body: null };
  },
});

export const customEventEndpoints: readonly Endpoint[] = [createCustomEvent];

/**
 * Stores a custom event, and creates its user if no one has these identifiers. If the same `externalEventId` was sent
 * before for the same type and user, returns the earlier event and stores nothing: a public client relies on this to
 * avoid duplicates. With another type or another user it is another event (assumed: the specification says that the id
 * identifies an event, but not in which scope). Inside a transaction.
 */
export function recordCustomEvent(
  deps: Deps,
  caller: Caller,
  sent: CustomEventBody,
  now: number,
  note: (remark: string) => void,
): { readonly event: InboundEvent; readonly isNew: boolean } {
  const characters = forbiddenInType(sent.type);
  if (characters.length > 0)
    refuse(customEventRules.typeCharacters, inBody('/type'), sent.type, { sent: sent.type, found: characters });
  const time = readEventTime(sent.occurredAt, now, note);
  const by = readEventUser(sent.user, note);
  const properties = readProperties(sent.properties, note);
  const mediaUrl = readMediaUrl(sent.mediaUrl, note);
  const externalEventId = readExternalEventId(sent.externalEventId, note);

  const earlier =
    externalEventId === null ? undefined : findEvent(deps, caller, { by, type: sent.type, externalEventId });
  if (earlier) {
    note(
      `This event was dropped as a duplicate: externalEventId ${show(externalEventId)} was sent before for the type ${show(sent.type)} and this user. The event received at ${earlier.receivedAt} stays as it was, and this one is not stored (assumed).`,
    );
    return { event: earlier, isNew: false };
  }
  tellAge(time, note);
  const person = toPerson(deps, caller, by, toIso(now), note);
  const id = toGlobalId('Event', deps.store.nextNumber());
  const owner = { companyId: caller.companyId, userId: person.id, messageId: null, eventId: id };
  const { shortened, tooLong } = deps.messages.links.shortenValues(properties, owner, toIso(now));
  if (tooLong.length > 0) {
    const places = tooLong.map(show).join(', ');
    note(`The URL in ${places} is longer than 1,024 characters, so it is not shortened in messages (section 8).`);
  }
  const event = deps.store.events.put({
    id,
    companyId: caller.companyId,
    userId: person.id,
    kind: 'custom',
    type: sent.type,
    externalEventId,
    receivedAt: toIso(now),
    ...time,
    body: {
      properties,
      ...(mediaUrl === null ? {} : { mediaUrl }),
      ...(Object.keys(shortened).length === 0 ? {} : { shortened }),
    },
  });
  return { event, isNew: true };
}

function findEvent(
  { store, users }: Deps,
  { companyId }: Caller,
  { by, type, externalEventId }: { readonly by: Identifiers; readonly type: string; readonly externalEventId: string },
): InboundEvent | undefined {
  const byExternalId = store.events.index('byExternalId', (event) =>
    event.externalEventId === null ? [] : [toExternalKey(event.userId, event.externalEventId)],
  );
  for (const { id } of users.find(companyId, by)) {
    const events = byExternalId.get(toExternalKey(id, externalEventId));
    const event = events.find((one) => one.type === type && one.userId === id);
    if (event) return event;
  }
  return undefined;
}

const toExternalKey = (userId: string, externalEventId: string): string => `${userId} ${externalEventId}`;

function readProperties(sent: CustomEventBody['properties'], note: Note): Properties {
  if (sent === undefined) return {};
  if (sent === null) {
    note('properties was sent as null; it was read as left out.');
    return {};
  }
  if (typeof sent === 'string') return refuse(customEventRules.propertiesText, inBody('/properties'), sent, { sent });
  for (const key of Object.keys(sent)) {
    const found = forbiddenInKey(key);
    if (found.length > 0) {
      refuse(customEventRules.propertyKey, inBody(`/properties/${escapePointer(key)}`), key, {
        key,
        found,
        properties: sent,
      });
    }
  }
  remark(sent, note);
  return sent;
}

/**
 * Notes properties that the platform accepts but cannot use everywhere. The rule about keys applies only to the
 * object's own keys.
 */
function remark(properties: Properties, note: Note): void {
  const names = Object.keys(properties);
  if (names.length > usableKeys) {
    note(
      `The event has ${names.length} properties; beyond ${usableKeys} of a type they are stored but cannot be used (observed).`,
    );
  }
  const { mediaUrl } = properties;
  if (mediaUrl !== undefined && !(typeof mediaUrl === 'string' && isWebUrl(mediaUrl)))
    note(
      `properties.mediaUrl is ${show(mediaUrl)}, which is not an http or https URL, so a message shows no image (section 2.5: a value may have any type).`,
    );
  const nested = names.filter((name) => typeof properties[name] === 'object' && properties[name] !== null);
  if (nested.length > 0) {
    note(
      `${nested.map(show).join(', ')}: lists and nested objects can be used only in email messages, not in text messages (section 2.5).`,
    );
  }
  if (nested.some((name) => hasOddKey(properties[name]))) {
    note(
      'A key inside a nested object has a character that keys of properties must not have; it was accepted (assumed).',
    );
  }
}

function hasOddKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasOddKey);
  return Object.entries(value).some(([key, inner]) => forbiddenInKey(key).length > 0 || hasOddKey(inner));
}

function readMediaUrl(sent: CustomEventBody['mediaUrl'], note: Note): string | null {
  if (sent === undefined) return null;
  if (sent === null || sent === '') {
    note(`mediaUrl was sent as ${show(sent)}; it was read as left out.`);
    return null;
  }
  return isWebUrl(sent) ? sent : refuse(customEventRules.mediaUrl, inBody('/mediaUrl'), sent, { sent });
}

function readExternalEventId(sent: string | null | undefined, note: Note): string | null {
  if (sent === null || sent === '') note(`externalEventId was sent as ${show(sent)}; it was read as left out.`);
  return sent || null;
}

import { createHash } from 'node:crypto';
import { toIso } from '../../time/clock.ts';
import { documented, observed, orEmpty, type Infer } from '../../contract/schema.ts';
import { escapePointer } from '../../contract/pointer.ts';
import type { Deps } from '../../deps.ts';
import { eventUserRules, eventUserSchema, readEventUser, toPerson } from '../../people/event-user.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { toGlobalId } from '../../ids.ts';
import type { AttributeDefinition, AttributeValue, User } from '../../records.ts';
import { inBody, inQuery, refuse, refuseMissing, rulesOf, toRefusal } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { attributeRules, longestName, type PropertyRule } from './rules.ts';
import { isOfType, typeOf, type AttributeInput } from './value-type.ts';

type Properties = { readonly [name: string]: unknown };

const body = {
  type: 'object',
  required: ['properties', 'user'],
  properties: {
    properties: observed({ type: 'object', examples: [{ age: '24', 'favorite team': 'Minnesota Vikings' }] }),
    user: observed(eventUserSchema),
  },
} as const;

export type AttributesBody = Infer<typeof body>;

// Pages of the document send every parameter that has an example, and both together are refused: only one has one.
const query = {
  type: 'object',
  properties: {
    // Clients send the plus sign raw, which other programs read as a space.
    phone: orEmpty(
      documented({
        type: 'string',
        format: 'e164',
        description: 'E.164; write the plus sign as %2B. Send exactly one of phone and email.',
        examples: ['+15555550100'],
      }),
      { format: 'e164', pattern: String.raw`^(?:[+ ][1-9]\d{6,14})?$` },
    ),
    email: orEmpty(
      documented({ type: 'string', format: 'email', description: 'Send exactly one of phone and email.' }),
      { format: 'email' },
    ),
  },
} as const;

const listed = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: observed({ type: 'string', examples: ['favorite color'] }),
    value: observed({ type: 'string', examples: ['blue'] }),
  },
} as const;

const { oneIdentifier, noIdentifier, unknownUser, ...setRules } = attributeRules;

/** POST /attributes/custom (section 4, Custom attributes (POST); fields: docs/platform.md, Custom attributes). */
export const setAttributes = endpoint({
  operationId: 'postCustomAttributes',
  method: 'POST',
  path: '/attributes/custom',
  access: 'attributes:write',
  summary: 'Set custom attributes of a user',
  section: '4, Custom attributes (POST)',
  provenance: 'documented',
  rules: rulesOf(setRules, eventUserRules),
  body,
  replies: { 200: null },
  handle({ body, caller, now, note }, deps) {
    setCustomAttributes(deps, caller, body, now, note);
    return { status: 200, body: null };
  },
});

/** GET /attributes/custom (section 4, Custom attributes (GET); answer: docs/platform.md, Custom attributes). */
const getAttributes = endpoint({
  operationId: 'getCustomAttributes',
  method: 'GET',
  path: '/attributes/custom',
  access: 'attributes:write',
  summary: 'Read the custom attributes of a user',
  section: '4, Custom attributes (GET)',
  provenance: 'documented',
  rules: [oneIdentifier, noIdentifier, unknownUser],
  query,
  replies: { 200: { type: 'array', items: listed } },
  handle({ query, caller }, { store, users }) {
    const { phone, email } = query;
    if (phone !== undefined && email !== undefined) {
      const [one, other] = [{ phone }, { email }].map((by) => users.find(caller.companyId, by)[0]);
      refuse(oneIdentifier, inQuery('email'), email, {
        isOnePerson: one !== undefined && one.id === other?.id,
      });
    }
    const sent = phone ?? email;
    if (sent === undefined) {
      const refusal = toRefusal(noIdentifier, inQuery('email'), undefined, undefined);
      return refuseMissing(refusal, query, ['phone', 'email'], inQuery);
    }
    const user = users.find(caller.companyId, { phone, email })[0];
    if (!user) return refuse(unknownUser, inQuery(email === undefined ? 'phone' : 'email'), sent, { sent });
    return { status: 200, body: attributesOf(store, user).map(({ name, value }) => ({ name, value })) };
  },
});

export const attributeEndpoints: readonly Endpoint[] = [setAttributes, getAttributes];

/**
 * Sets attributes of the person named by `user`, and creates the person and the attributes if they are new. Sets all of
 * them or none. Inside a transaction.
 */
export function setCustomAttributes(
  deps: Deps,
  caller: Caller,
  sent: AttributesBody,
  now: number,
  note: (remark: string) => void,
): readonly AttributeValue[] {
  const by = readEventUser(sent.user, note);
  const definitionOf = (name: string) => deps.store.attributeDefinitions.get(`${caller.companyId}:${name}`);
  const values = readValues(sent.properties, definitionOf);
  refuseUnfit(values, definitionOf);
  for (const [name, value] of values)
    if (!definitionOf(name)) define(deps.store, caller, name, typeOf(value), toIso(now));
  const person = toPerson(deps, caller, by, toIso(now), note);
  return values.map(([name, value]) => {
    // The event means that the attribute was set, so it is also sent for the same value (assumed).
    const property = { id: toPropertyId(caller.companyId, name), name, value };
    const details = { user_property: property };
    deps.deliveries.publish({ type: 'custom_attribute.set', user: person, about: by, details }, note);
    return deps.store.attributeValues.put({
      id: `${person.id}:${name}`,
      companyId: caller.companyId,
      userId: person.id,
      name,
      value: String(value),
      updatedAt: toIso(now),
    });
  });
}

/** A number that is always the same for an attribute of a company, in the form of the platform's global ids. */
function toPropertyId(companyId: string, name: string): string {
  return toGlobalId('UserProperty', createHash('sha256').update(`${companyId}:${name}`).digest().readUInt32BE());
}

type DefinitionOf = (name: string) => AttributeDefinition | undefined;

function readValues(
  properties: Properties,
  definitionOf: DefinitionOf,
): readonly (readonly [string, AttributeInput])[] {
  const all = Object.entries(properties);
  if (all.length === 0) refuse(attributeRules.none, inBody('/properties'), properties, undefined);
  const demand = (broken: PropertyRule, isBroken: (name: string, value: unknown) => boolean): void => {
    const found = all.filter(([name, value]) => isBroken(name, value));
    const [first] = found;
    if (!first) return;
    const [name, value] = first;
    refuse(broken, inBody(`/properties/${escapePointer(name)}`), value, {
      name,
      value,
      all: found,
      names: all.map(([one]) => one),
      accepts: (one, plain) => {
        const known = definitionOf(one);
        return !known || (isFixed(plain, known) && isOfItsType(plain, known));
      },
    });
  };
  demand(attributeRules.nameEmpty, (name) => name === '');
  // A name of 201 UTF-16 units may still have 200 characters.
  demand(attributeRules.nameLength, (name) => name.length > longestName && [...name].length > longestName);
  demand(attributeRules.arrayValue, (_name, value) => Array.isArray(value));
  demand(attributeRules.nullValue, (_name, value) => value === null);
  demand(attributeRules.objectValue, (_name, value) => typeof value === 'object');
  return all as readonly (readonly [string, AttributeInput])[];
}

/** Refuses values that their attributes do not take. One refusal names all values that break the same rule. */
function refuseUnfit(values: readonly (readonly [string, AttributeInput])[], definitionOf: DefinitionOf): void {
  const known = values.flatMap(([name, value]) => {
    const definition = definitionOf(name);
    return definition ? [{ name, value, definition }] : [];
  });
  for (const [broken, fits] of [
    [attributeRules.fixedValues, isFixed],
    [attributeRules.typeClash, isOfItsType],
  ] as const) {
    const unfit = known.filter(({ value, definition }) => !fits(value, definition));
    const [first] = unfit;
    if (first) refuse(broken, inBody(`/properties/${escapePointer(first.name)}`), first.value, { unfit });
  }
}

/** Whether a value is one of the fixed values; true if there are none. */
function isFixed(value: AttributeInput, { values }: AttributeDefinition): boolean {
  return values === null || values.includes(String(value));
}

/**
 * Whether a value has the type of its attribute. An attribute with fixed values takes any type. So does a text
 * attribute that was created in the UI without them: it keeps each value as text (section 4, Custom attributes (POST),
 * 4).
 */
function isOfItsType(value: AttributeInput, { values, type, origin }: AttributeDefinition): boolean {
  return values !== null || (origin === 'ui' && type === 'string') || isOfType(value, type);
}

function define(
  store: Store,
  { companyId }: Caller,
  name: string,
  type: AttributeDefinition['type'],
  createdAt: string,
): void {
  const id = `${companyId}:${name}`;
  store.attributeDefinitions.put({ id, companyId, name, type, values: null, origin: 'api', createdAt });
}

function attributesOf(store: Store, user: User): readonly AttributeValue[] {
  return store.attributeValues.index('byUser', (one) => [one.userId]).get(user.id);
}

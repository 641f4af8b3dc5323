import { toIso } from '../../time/clock.ts';
import type { AttributeDefinition, AttributeValue } from '../../records.ts';
import { inBody, noSuch, refuse, remove, rule, set, show, type Place } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { longestName } from './rules.ts';
import { isOfType } from './value-type.ts';

/** The most characters of a fixed value. */
const longestValue = 256;

type Type = AttributeDefinition['type'];

/** The rules for attributes that are created in the platform's UI (section 4, Custom attributes (POST), 4). */
export const attributeManagementRules = {
  name: rule({
    id: 'attributes.ui-name',
    status: 400,
    section: '4, Custom attributes (POST), 3',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks attributes is not public.',
    says: 'An attribute has a name.',
    message: () => 'The attribute needs a name that is not only spaces.',
    fix: (_facts, place) => ({ say: 'Give it a name.', edits: [set(place, 'shoe size')] }),
  }),
  nameLength: rule<{ name: string }>({
    id: 'attributes.ui-name-length',
    status: 400,
    section: '4, Custom attributes (POST), 3',
    provenance: 'documented',
    says: 'Attribute name: max 200 characters.',
    message: ({ name }) =>
      `The attribute name ${show(name)} has ${[...name].length} characters; at most ${longestName} are allowed.`,
    fix: ({ name }, place) => ({
      say: 'Shorten the name.',
      edits: [set(place, [...name].slice(0, longestName).join(''))],
    }),
    facts: ({ name }) => ({ count: [...name].length, limit: longestName }),
  }),
  taken: rule<{ name: string }>({
    id: 'attributes.ui-taken',
    status: 409,
    section: '4, Custom attributes (POST), 1',
    provenance: 'assumed',
    reason: 'The platform has no public operation that creates an attribute in the UI.',
    says: 'An attribute is identified by its name; case counts.',
    message: ({ name }) => `The attribute ${show(name)} already exists. Change that one, or use another name.`,
    fix: () => ({ say: 'Use another name.', edits: [] }),
  }),
  noValues: rule({
    id: 'attributes.ui-no-values',
    status: 400,
    section: '4, Custom attributes (POST), 4',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks attributes is not public.',
    says: 'A fixed set has at least one value.',
    message: () => 'The fixed set is empty, so no value could be set. Add a value, or allow any value.',
    fix: (_facts, place) => ({ say: 'Allow any value.', edits: [set(place, null)] }),
  }),
  emptyValue: rule({
    id: 'attributes.ui-empty-value',
    status: 400,
    section: '4, Custom attributes (POST), 4',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks attributes is not public.',
    says: `A fixed value has 1 to ${longestValue} characters.`,
    message: () => `A fixed value is empty or longer than ${longestValue} characters.`,
    fix: (_facts, place) => ({ say: 'Leave it out.', edits: [remove(place)] }),
    facts: () => ({ least: 1, limit: longestValue }),
  }),
  valueType: rule<{ value: string; type: Type }>({
    id: 'attributes.ui-value-type',
    status: 400,
    section: '4, Custom attributes (POST), 4',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks attributes is not public.',
    says: 'The fixed values are of the type of the attribute.',
    message: ({ value, type }) =>
      `The fixed value ${show(value)} is not a ${type}. Write a ${type}, or choose another type.`,
    fix: () => ({ say: 'Choose the type string.', edits: [set(inBody('/type'), 'string')] }),
  }),
  heldType: rule<{ held: string; type: Type }>({
    id: 'attributes.ui-held-type',
    status: 409,
    section: '4, Custom attributes (POST), 1',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks attributes is not public.',
    says: 'The values that people already have fit the type.',
    message: ({ held, type }) =>
      `A person has the value ${show(held)}, which is not a ${type}, so the type cannot be changed.`,
    // The request for an undo has no type.
    fix: ({ type }, place) =>
      place.at === '/type'
        ? { say: 'Keep the type.', edits: [remove(place)] }
        : { say: `Keep it as it is, or first set the attribute of this person to a ${type}.`, edits: [] },
  }),
} as const;

export interface AttributeFields {
  readonly name: string;
  readonly type: Type;
  /** Null: any value of the type is accepted. */
  readonly values: readonly string[] | null;
}

/**
 * Creates an attribute, as the platform's own pages do. Inside a transaction.
 * @param now epoch milliseconds
 */
export function defineAttribute(
  store: Store,
  companyId: string,
  { name, type, values }: AttributeFields,
  now: number,
): AttributeDefinition {
  if (name === '') refuse(attributeManagementRules.name, inBody('/name'), name, undefined);
  if ([...name].length > longestName) refuse(attributeManagementRules.nameLength, inBody('/name'), name, { name });
  const id = `${companyId}:${name}`;
  if (store.attributeDefinitions.get(id)) refuse(attributeManagementRules.taken, inBody('/name'), name, { name });
  return store.attributeDefinitions.put({
    id,
    companyId,
    name,
    type,
    values: toValues(values, type),
    origin: 'ui',
    createdAt: toIso(now),
  });
}

/**
 * Changes the type or the fixed values of an attribute. People keep values that are no longer in the set (assumed).
 * Inside a transaction.
 */
export function changeAttribute(
  store: Store,
  id: string,
  change: { readonly type?: Type | undefined; readonly values?: readonly string[] | null | undefined },
): AttributeDefinition {
  const known = getAttribute(store, id);
  const type = change.type ?? known.type;
  if (type !== known.type) refuseUnfit(store, { ...known, type }, inBody('/type'));
  const values = change.values === undefined ? known.values : change.values;
  return store.attributeDefinitions.put({ ...known, type, values: toValues(values, type) });
}

/**
 * Takes back a change or the deletion of an attribute by `revert`, and drops the values of people who were deleted
 * since. Refused if a value that was set since does not fit the type. Inside a transaction.
 */
export function takeBackAttribute(store: Store, id: string, revert: () => void): void {
  revert();
  const definition = getAttribute(store, id);
  for (const { id: valueId, userId } of valuesOf(store, definition))
    if (!store.users.get(userId)) store.attributeValues.delete(valueId);
  refuseUnfit(store, definition, inBody(''));
}

function refuseUnfit(store: Store, definition: AttributeDefinition, place: Place): void {
  const { type } = definition;
  const misfit = valuesOf(store, definition).find(({ value }) => !isOfType(value, type));
  if (misfit) refuse(attributeManagementRules.heldType, place, type, { held: misfit.value, type });
}

/** Deletes an attribute, with the values that people have for it. Inside a transaction. */
export function removeAttribute(store: Store, id: string): AttributeDefinition {
  const known = getAttribute(store, id);
  for (const value of valuesOf(store, known)) store.attributeValues.delete(value.id);
  store.attributeDefinitions.delete(id);
  return known;
}

/** The values that people have for an attribute. */
export function valuesOf(
  store: Store,
  { companyId, name }: Pick<AttributeDefinition, 'companyId' | 'name'>,
): readonly AttributeValue[] {
  return store.attributeValues.index('byName', (one) => [`${one.companyId}:${one.name}`]).get(`${companyId}:${name}`);
}

/** The attribute with that id; refused if there is none. */
export function getAttribute(store: Store, id: string): AttributeDefinition {
  return store.attributeDefinitions.get(id) ?? noSuch('attribute', id);
}

function toValues(sent: readonly string[] | null, type: Type): readonly string[] | null {
  if (sent === null) return null;
  const values = [...new Set(sent)];
  if (values.length === 0) refuse(attributeManagementRules.noValues, inBody('/values'), sent, undefined);
  values.forEach((value, at) => {
    const place = inBody(`/values/${at}`);
    if (value === '' || [...value].length > longestValue)
      refuse(attributeManagementRules.emptyValue, place, value, undefined);
    if (!isOfType(value, type)) refuse(attributeManagementRules.valueType, place, value, { value, type });
  });
  return values;
}

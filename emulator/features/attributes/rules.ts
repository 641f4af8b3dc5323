import { meantBoolean, meantNumber, meantText, meantTime, meantWord } from '../../contract/meant.ts';
import { escapePointer } from '../../contract/pointer.ts';
import type { AttributeDefinition } from '../../records.ts';
import type { AttributeInput } from './value-type.ts';
import { freeName, inBody, remove, rule, set, show, type Edit, type Fix, type Place, type Rule } from '../../rules.ts';

export type AttributeType = AttributeDefinition['type'];

/** The most characters of a name (section 8). */
export const longestName = 200;

/** One property that breaks a rule, with all others that break it, so that one fix corrects the request. */
interface Broken {
  readonly name: string;
  readonly value: unknown;
  readonly all: readonly (readonly [name: string, value: unknown])[];
  /** The names of all properties. */
  readonly names: readonly string[];
  /** Whether the attribute takes the value. */
  accepts(name: string, value: AttributeInput): boolean;
}

/** A value that its attribute does not take. */
interface Unfit {
  readonly name: string;
  readonly value: AttributeInput;
  readonly definition: AttributeDefinition;
}

/** All values that break the rule, so that one fix corrects the request. */
interface Unfits {
  readonly unfit: readonly Unfit[];
}

/** Reads a sent value as each type; null if it cannot be read as that type. */
const meantAs: { readonly [T in AttributeType]: (value: AttributeInput) => AttributeInput | null } = {
  string: meantText,
  number: (value) => (typeof value === 'string' ? meantNumber(value) : null),
  boolean: (value) => (typeof value === 'boolean' ? value : meantBoolean(value)),
  date: (value) => (typeof value === 'boolean' ? null : meantTime(value)),
};

/** The rules of custom attributes (section 4, Custom attributes). */
export const attributeRules = {
  arrayValue: rule<Broken>({
    id: 'attributes.array-value',
    status: 400,
    section: '4, Custom attributes (POST), 5',
    provenance: 'documented',
    says: 'Array values are rejected with 400.',
    message: ({ name, value }) =>
      `The attribute ${show(name)} has an array for a value: ${show(value)}. Send one text, number or boolean.`,
    fix: (broken, place) => resend(broken, place, (value) => value as readonly unknown[]),
  }),
  objectValue: rule<Broken>({
    id: 'attributes.object-value',
    status: 400,
    section: '4, Custom attributes (POST)',
    provenance: 'observed',
    says: 'Values are texts, numbers or booleans, not objects.',
    message: ({ name, value }) =>
      `The attribute ${show(name)} has an object for a value: ${show(value)}. Send one text, number or boolean.`,
    fix: (broken, place) => resend(broken, place, (value) => [JSON.stringify(value)]),
  }),
  nullValue: rule<Broken>({
    id: 'attributes.null-value',
    status: 400,
    section: '4, Custom attributes (POST), 1',
    provenance: 'assumed',
    reason: 'Section 4 names only the refusal of arrays; what null does is not public.',
    says: 'An attribute has a value; a value cannot be removed.',
    message: ({ name }) =>
      `The attribute ${show(name)} has no value (null). Send a text, number or boolean, or leave the attribute out.`,
    fix: (broken, place) => resend(broken, place, () => []),
  }),
  nameLength: rule<Broken>({
    id: 'attributes.name-length',
    status: 400,
    section: '4, Custom attributes (POST), 3',
    provenance: 'documented',
    says: 'Attribute name: max 200 characters.',
    message: ({ name }) =>
      `The attribute name ${show(name)} has ${[...name].length} characters; at most ${longestName} are allowed.`,
    fix: (broken, place) => rename(broken, place, (name) => [...name].slice(0, longestName - 4).join('')),
    facts: ({ name }) => ({ count: [...name].length, limit: longestName }),
  }),
  nameEmpty: rule<Broken>({
    id: 'attributes.name-empty',
    status: 400,
    section: '4, Custom attributes (POST), 3',
    provenance: 'assumed',
    reason: 'Section 4 names only the longest name; what an empty one does is not public.',
    says: 'An attribute has a name.',
    message: ({ value }) => `An attribute with the value ${show(value)} has an empty name. Give it a name.`,
    fix: (broken, place) => rename(broken, place, () => 'attribute'),
  }),
  none: rule({
    id: 'attributes.none',
    status: 400,
    section: '4, Custom attributes (POST), 1',
    provenance: 'assumed',
    reason: 'What a request without attributes does is not public.',
    says: 'The request names at least one attribute.',
    message: () => 'properties is empty, so there is no attribute to set. Name at least one, such as {"age": "24"}.',
    fix: () => ({ say: 'Name an attribute, such as {"age": "24"}.', edits: [] }),
  }),
  fixedValues: rule<Unfits>({
    id: 'attributes.fixed-values',
    status: 400,
    section: '4, Custom attributes (POST), 4',
    provenance: 'documented',
    says: 'A property whose name was created in the platform UI with a fixed set of values accepts only those values.',
    message: ({ unfit }) =>
      unfit
        .map(
          ({ name, value, definition: { values } }) =>
            `The attribute ${show(name)} takes only ${(values ?? []).map(show).join(', ')} (case counts), not ${show(value)}. Its values were fixed in the UI.`,
        )
        .join(' '),
    fix: ({ unfit }, place) =>
      sendInstead(unfit, place, {
        toMeant: ({ value, definition }) => meantWord(meantText(value) ?? '', definition.values ?? []),
        toWanted: ({ values }) => `one of ${(values ?? []).map(show).join(', ')}`,
      }),
  }),
  typeClash: rule<Unfits>({
    id: 'attributes.type-clash',
    status: 400,
    section: '4, Custom attributes (POST), 1',
    provenance: 'observed',
    says: 'The JSON type of the first value, or the type that was chosen in the UI, is the type of an attribute; a text that was created in the UI accepts any value.',
    message: ({ unfit }) =>
      unfit
        .map(
          ({ name, value, definition: { type, origin } }) =>
            `The attribute ${show(name)} is a ${type}, because ${origin === 'ui' ? 'that type was chosen in the UI' : 'its first value was one'}; ${show(value)} is not. Send a ${type}, or use another name.`,
        )
        .join(' '),
    fix: ({ unfit }, place) =>
      sendInstead(unfit, place, {
        toMeant: ({ value, definition: { type } }) => meantAs[type](value),
        toWanted: ({ type }) => `a ${type}`,
      }),
  }),
  oneIdentifier: rule<{ isOnePerson: boolean }>({
    id: 'attributes.one-identifier',
    status: 400,
    section: '4, Custom attributes (GET)',
    provenance: 'documented',
    says: 'Supplying both phone and email yields 400.',
    message: () => 'The query has both phone and email. Send exactly one of the two.',
    fix: ({ isOnePerson }, place) =>
      isOnePerson
        ? { say: `Leave ${place.at} out.`, edits: [remove(place)] }
        : { say: 'Send the phone or the email address of the person who is meant.', edits: [] },
  }),
  noIdentifier: rule({
    id: 'attributes.no-identifier',
    status: 400,
    section: '4',
    provenance: 'documented',
    says: 'query phone (E.164, plus sign encoded as %2B) or email; exactly one.',
    message: () =>
      'The query has neither phone nor email. Send exactly one of the two, such as ?email=ada@example.com.',
    fix: () => ({ say: 'Name a user by ?phone= or ?email=.', edits: [] }),
  }),
  unknownUser: rule<{ sent: string }>({
    id: 'attributes.unknown-user',
    status: 404,
    section: '7',
    provenance: 'observed',
    says: 'The user exists in the company.',
    message: ({ sent }) => `The specified resource was not found: no user of this company has ${show(sent)}.`,
    fix: () => ({
      say: 'Name a user of this company, or set an attribute of this one first, with POST /attributes/custom.',
      edits: [],
    }),
  }),
} as const;

export type PropertyRule = Rule<Broken>;

/**
 * Sends the first part of each value that the attribute takes. Leaves out attributes without such a part, unless no
 * attribute would be left.
 */
function resend({ all, names, accepts }: Broken, place: Place, toParts: (value: unknown) => readonly unknown[]): Fix {
  const changes = all.map(([name, value]) => ({
    name,
    at: inBody(above(place) + escapePointer(name)),
    plain: toParts(value).find((part) => isPlain(part) && accepts(name, part)),
  }));
  const left = changes.filter(({ plain }) => plain === undefined);
  if (left.length === names.length) return { say: 'Send a text, a number or a boolean.', edits: [] };
  const say = [
    ...changes.flatMap(({ plain }) => (plain === undefined ? [] : `Send ${show(plain)}`)),
    ...left.map(({ name }) => `Leave ${show(name)} out`),
  ];
  return {
    say: `${say.join('. ')}.`,
    edits: changes.map(({ at, plain }) => (plain === undefined ? remove(at) : set(at, plain))),
  };
}

function rename({ all, names }: Broken, place: Place, toName: (name: string) => string): Fix {
  const taken = new Set(names);
  const renamed = all.map(([name, value]) => ({ name, value, wanted: freeName(toName(name), taken) }));
  const edits: readonly Edit[] = renamed.flatMap(({ name, value, wanted }) => [
    remove(inBody(above(place) + escapePointer(name))),
    set(inBody(above(place) + escapePointer(wanted)), value),
  ]);
  return { say: `Use the name ${renamed.map(({ wanted }) => show(wanted)).join(', ')}.`, edits };
}

/** Sends the meaning of each value; if one is not clear, only says which values the attributes take. */
function sendInstead(
  unfit: Unfits['unfit'],
  place: Place,
  {
    toMeant,
    toWanted,
  }: { toMeant(one: Unfit): AttributeInput | null; toWanted(definition: AttributeDefinition): string },
): Fix {
  const meant = unfit.map((one) => ({ ...one, meant: toMeant(one) }));
  if (meant.some((one) => one.meant === null))
    return {
      say: `Send ${unfit.map(({ name, definition }) => `${toWanted(definition)} as ${show(name)}`).join(', ')}.`,
      edits: [],
    };
  return {
    say: `Send ${meant.map((one) => show(one.meant)).join(', ')}.`,
    edits: meant.map((one) => set(inBody(above(place) + escapePointer(one.name)), one.meant)),
  };
}

const above = (place: Place): string => place.at.slice(0, place.at.lastIndexOf('/') + 1);

function isPlain(value: unknown): value is AttributeInput {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

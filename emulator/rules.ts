import { cutJson, cutText } from './contract/cut-text.ts';
import { UserError } from './errors.ts';
import type { Origin } from './contract/schema.ts';
import { meantWord, readPhone, withSameWords } from './contract/meant.ts';
import { escapePointer } from './contract/pointer.ts';
import { isGiven } from './contract/unknown-fields.ts';
import { anyValue, described, either, list, object, oneOf, text, type View } from './contract/shape.ts';

/** A place in a request. */
export const placeShape = object({
  in: oneOf('body', 'form', 'query', 'header', 'path', 'method'),
  at: described('A JSON pointer in a body, else a name.', text),
});
export type Place = View<typeof placeShape>;

/**
 * The smallest change after which the rule passes: edits for a program, a sentence in the imperative for a person. An
 * edit sends only a value from the request itself (moved, unwrapped, converted or corrected), the value that is stored
 * at that place already, or the only possible value. It invents nothing: if a person, a code, an amount, a time or a
 * choice is missing or cannot be read, there is no edit, and the sentence has an example.
 */
export const fixShape = object({
  say: text,
  edits: list(
    either(
      object({ op: { const: 'set' }, place: placeShape, value: anyValue }),
      object({ op: { const: 'remove' }, place: placeShape }),
      object({ op: { const: 'replace-body' }, text }),
    ),
  ),
});
export type Fix = View<typeof fixShape>;
export type Edit = Fix['edits'][number];

/** The facts in a message as data: JSON values by name, such as `{ limit: 150 }`. */
export interface FactsOfRefusal {
  readonly [name: string]: unknown;
}

/**
 * One rule of the contract. `id` is stable and may be filtered by; `section` is the place in the specification;
 * `says` its words; `message` and `fix` are built from the facts of one violation.
 */
export type Rule<Facts> = RuleParts<Facts> & ToldOrigin;

/** Where a rule or an operation comes from. What is assumed does not compile without a reason. */
export type ToldOrigin = Known | Assumed;

interface Known {
  readonly provenance: 'documented' | 'observed';
  readonly reason?: never;
}

interface Assumed {
  readonly provenance: 'assumed';
  /** Why: what the specification and public clients leave open. */
  readonly reason: string;
}

interface RuleParts<Facts> {
  readonly id: string;
  readonly status: number;
  readonly section: string;
  readonly says: string;
  /** The name of the error if the dialect has one: an S3 code, an error code of RFC 6749. */
  readonly code?: string;
  message(facts: Facts): string;
  fix(facts: Facts, place: Place): Fix;
  /** Where the rule comes from, if that depends on the facts of the violation. */
  originAt?(facts: Facts): Origin;
  /** The facts that are recorded and served with the message, for programs: no secret, and nothing long. */
  facts?(facts: Facts): FactsOfRefusal;
  /** The elements that the reply adds to the message, by name, if the dialect supports this (S3). */
  details?(facts: Facts): { readonly [name: string]: string };
}

/** Where a rule is stated, from its section and in words: `specification section 4`. */
export function toSource(section: string): string {
  if (/^\d/.test(section)) return `specification section ${section}`;
  return section === 'sandbox' || section === 'control API' ? 'Sandpiper itself' : section;
}

/** Any rule, for lists of rules. */
export type AnyRule = Omit<Rule<never>, 'message' | 'fix' | 'originAt' | 'facts' | 'details'>;

/** The rules of some groups as a list. */
export function rulesOf(...groups: readonly { readonly [name: string]: AnyRule }[]): readonly AnyRule[] {
  return groups.flatMap((rules) => Object.values(rules));
}

/** Declares a rule; the types of its facts are those of its `message`. */
export function rule<Facts = void>(value: Rule<Facts>): Rule<Facts> {
  return value;
}

/** A rule of Sandpiper itself, not of the platform: about the control API, or about the actions of a person. */
interface OwnRule<Facts> extends Pick<Rule<Facts>, 'id' | 'status' | 'says' | 'message' | 'facts'> {
  /** The smallest change, as a sentence, or with the edits that make it. */
  readonly fix: string | ((facts: Facts, place: Place) => string | Fix);
}

/** Where a rule of Sandpiper itself comes from. */
export const ownOrigin = {
  section: 'control API',
  provenance: 'assumed',
  reason: 'It is about a part of Sandpiper that the platform does not have.',
} as const;

/**
 * Declares a rule of Sandpiper itself. Its facts are recorded and served unchanged, unless the rule has its own
 * `facts`.
 */
export function ownRule<Facts extends object | void = void>({ fix, ...value }: OwnRule<Facts>): Rule<Facts> {
  return rule<Facts>({
    facts: (facts) => ({ ...facts }),
    ...value,
    ...ownOrigin,
    fix(facts, place) {
      const made = typeof fix === 'string' ? fix : fix(facts, place);
      return typeof made === 'string' ? { say: made, edits: [] } : made;
    },
  });
}

interface RefusalParts {
  readonly rule: AnyRule;
  readonly origin: Origin;
  readonly place: Place;
  readonly value: unknown;
  readonly message: string;
  readonly fix: Fix;
  readonly facts: FactsOfRefusal;
  readonly details: { readonly [name: string]: string };
  /** Headers of the answer. */
  readonly headers: { readonly [name: string]: string };
}

/**
 * A request refused by a rule. The code that replies converts it to the platform's dialect (see http/error-text.ts);
 * the command line shows its message like that of any other mistake of the developer.
 */
export class Refusal extends UserError implements RefusalParts {
  readonly rule: AnyRule;
  readonly origin: Origin;
  readonly place: Place;
  readonly value: unknown;
  readonly fix: Fix;
  readonly facts: FactsOfRefusal;
  readonly details: RefusalParts['details'];
  readonly headers: RefusalParts['headers'];

  constructor({ rule, origin, place, value, message, fix, facts, details, headers }: RefusalParts) {
    super(message);
    this.rule = rule;
    this.origin = origin;
    this.place = place;
    this.value = value;
    this.fix = fix;
    this.facts = facts;
    this.details = details;
    this.headers = headers;
  }

  /** A copy of the refusal that fits another request: with another place, value, message, fix or facts. */
  with(changes: Partial<Pick<RefusalParts, 'place' | 'value' | 'message' | 'fix' | 'facts'>>): Refusal {
    const { rule, origin, place, value, message, fix, facts, details, headers } = this;
    return new Refusal({ rule, origin, place, value, message, fix, facts, details, headers, ...changes });
  }
}

/** Creates a refusal as a value, for replies that keep the changes; a throw would revert them. */
export function toRefusal<Facts>(
  broken: Rule<Facts>,
  place: Place,
  value: unknown,
  facts: Facts,
  headers: RefusalParts['headers'] = {},
): Refusal {
  return new Refusal({
    rule: broken,
    origin: broken.originAt?.(facts) ?? { provenance: broken.provenance, reason: broken.reason ?? '' },
    place,
    value,
    message: broken.message(facts),
    fix: broken.fix(facts, place),
    facts: broken.facts?.(facts) ?? {},
    details: broken.details?.(facts) ?? {},
    headers,
  });
}

/** Refuses the request at hand: throws, so that nothing after it runs and the transaction is reverted. */
export function refuse<Facts>(
  broken: Rule<Facts>,
  place: Place,
  value: unknown,
  facts: Facts,
  headers: RefusalParts['headers'] = {},
): never {
  throw toRefusal(broken, place, value, facts, headers);
}

/**
 * Refuses an object in which fields are missing or empty. If a field is there under a similar name, which is ignored,
 * the fix renames it.
 * @param names the expected fields
 * @param toPlace the place of a field
 */
export function refuseMissing(
  refusal: Refusal,
  sent: object,
  names: readonly string[],
  toPlace: (name: string) => Place,
): never {
  const given = Object.entries(sent).filter(([, value]) => isGiven(value));
  const free = names.filter((name) => !given.some(([one]) => one === name));
  const misspelt = given.flatMap(([name, value]) => {
    const meant = names.includes(name) ? null : (meantWord(name, free) ?? withSameWords(name, free));
    return meant === null ? [] : [{ name, meant, value }];
  });
  const isClear = new Set(misspelt.map(({ meant }) => meant)).size === misspelt.length;
  if (misspelt.length === 0 || !isClear) throw refusal;
  const say = `Rename ${misspelt.map(({ name, meant }) => `${show(name)} to ${show(meant)}`).join(', ')}.`;
  const edits = misspelt.flatMap(({ name, meant, value }) => [remove(toPlace(name)), set(toPlace(meant), value)]);
  throw refusal.with({ fix: { say, edits } });
}

/** A place in the JSON body, by JSON pointer ('' is the whole body). */
export const inBody = (at: string): Place => ({ in: 'body', at });
/** The place of a field of an object in the body. */
export const inObject =
  (at: string) =>
  (name: string): Place =>
    inBody(`${at}/${escapePointer(name)}`);
/** A place in a form-urlencoded body. */
export const inForm = (at: string): Place => ({ in: 'form', at });
/** A query parameter. */
export const inQuery = (at: string): Place => ({ in: 'query', at });
/** A header. */
export const inHeader = (at: string): Place => ({ in: 'header', at });
/** A path parameter ('' is the whole path). */
export const inPath = (at: string): Place => ({ in: 'path', at });

/** An edit that sets the value at a place. */
export const set = (place: Place, value: unknown): Edit => ({ op: 'set', place, value });
/** An edit that removes the value at a place. */
export const remove = (place: Place): Edit => ({ op: 'remove', place });

/** A fix that sets the value that was probably meant. If that is unclear (null), it only says what is wanted. */
export function setMeant(place: Place, meant: string | object | null, otherwise: string): Fix {
  return meant === null ? { say: otherwise, edits: [] } : { say: `Send ${show(meant)}.`, edits: [set(place, meant)] };
}

/**
 * Returns the name, with a number if it is taken, and marks it as taken. For fixes that rename, so that no value is
 * lost.
 */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  taken.add(free);
  return free;
}

/** The sentence of a fix if the person's address cannot be guessed. */
export const sayAddress = {
  phone: 'Send the phone of the person in E.164 form.',
  email: 'Send the email address of the person.',
} as const;

/** A fix that sends the phone that was meant, with the condition under which it is that one. */
export function fixPhone(sent: string, place: Place): Fix {
  const { phone = null, condition = null } = readPhone(sent) ?? {};
  const { say, edits } = setMeant(place, phone, sayAddress.phone);
  return { say: condition === null ? say : onlyIf(condition, say), edits };
}

/** A sentence in the imperative under a condition. */
export const onlyIf = (condition: string, say: string): string =>
  `If ${condition}, ${say.slice(0, 1).toLowerCase()}${say.slice(1)}`;

/** An example of the contract for a message: whole JSON, so that it can be copied. */
export function showExample(example: unknown): string {
  return JSON.stringify(example) ?? 'nothing';
}

/** A value for a message: JSON, cut at 80 characters. */
export const show = (value: unknown): string => cutJson(value, 80);

/**
 * For each kind of thing with an id, the command that lists the ids: the fact `listedBy` of every rule about an unknown
 * id.
 */
const listedBy = {
  app: 'records apps',
  attribute: 'records attribute-definitions',
  company: 'records companies',
  credential: 'records credentials',
  'deletion request': 'records privacy-requests',
  delivery: 'deliveries',
  fault: 'fault',
  message: 'messages',
  offer: 'records offers',
  person: 'records users',
  'sign-up unit': 'records sign-up-units',
  snapshot: 'snapshot list',
  upload: 'records uploads',
  webhook: 'records webhooks',
} as const;

interface Missing extends FactsOfRefusal {
  readonly what: keyof typeof listedBy;
  readonly id: string;
}

const missing = {
  message: ({ what, id }: Missing) =>
    `There is no ${what} ${cutText(id, 80)}. "sandpiper ${listedBy[what]}" lists them.`,
  facts: ({ what, id }: Missing) => ({ what, id: id.slice(0, 200), listedBy: listedBy[what] }),
  fix: ({ what }: Missing) => `Name one of those that "sandpiper ${listedBy[what]}" lists.`,
};

/** The rules about ids, see `noSuch`. */
export const missingRules = {
  notFound: ownRule<Missing>({
    ...missing,
    id: 'control.not-found',
    status: 404,
    says: 'The path of a control request names only things that exist.',
  }),
  unknownId: ownRule<Missing>({
    ...missing,
    id: 'control.unknown-id',
    status: 400,
    says: 'The body and the query of a control request name only things that exist.',
  }),
} as const;

/** Refuses an unknown id: with 404 if it is in the path, else with 400. */
export function noSuch(what: Missing['what'], id: string, place: Place = inPath('id')): never {
  return refuse(place.in === 'path' ? missingRules.notFound : missingRules.unknownId, place, id, { what, id });
}

import type { Provenance } from './contract/schema.ts';

/** A place in a request: a JSON pointer in the body, or the name of a header, query or form field. */
export interface Place {
  readonly in: 'body' | 'form' | 'query' | 'header' | 'path' | 'method';
  readonly at: string;
}

/** One change to a request. A fix is a list of them, so that a program can apply it and a person can read it. */
export type Edit =
  | { readonly op: 'set'; readonly place: Place; readonly value: unknown }
  | { readonly op: 'remove'; readonly place: Place }
  | { readonly op: 'replace-body'; readonly text: string };

/** The smallest change after which the rule passes. `say` is a sentence in the imperative. */
export interface Fix {
  readonly say: string;
  readonly edits: readonly Edit[];
}

/** What a message says, as data: JSON by name, such as `{ limit: 150 }`. */
export interface FactsOfRefusal {
  readonly [name: string]: unknown;
}

/**
 * One rule of the contract. `id` is stable and may be filtered by; `section` is the place in the specification;
 * `says` its words; `message` and `fix` are built from the facts of one violation.
 */
export interface Rule<Facts> {
  readonly id: string;
  readonly status: number;
  readonly section: string;
  readonly provenance: Provenance;
  /** Why it is assumed or observed, if `says` does not show it. */
  readonly reason?: string;
  readonly says: string;
  /** The name of the error if the dialect has one: an S3 code, an error code of RFC 6749. */
  readonly code?: string;
  message(facts: Facts): string;
  fix(facts: Facts, place: Place): Fix;
  /** The facts that are recorded and served with the message, for programs: no secret, and nothing long. */
  facts?(facts: Facts): FactsOfRefusal;
  /** What the reply adds to the message, by element name, if the dialect supports it (S3). */
  details?(facts: Facts): { readonly [name: string]: string };
}

/** Any rule, for lists of rules. */
export type AnyRule = Omit<Rule<never>, 'message' | 'fix' | 'facts' | 'details'>;

/** Declares a rule; the types of its facts are those of its `message`. */
export function rule<Facts = void>(value: Rule<Facts>): Rule<Facts> {
  return value;
}

interface RefusalParts {
  readonly rule: AnyRule;
  readonly place: Place;
  readonly value: unknown;
  readonly message: string;
  readonly fix: Fix;
  readonly facts: FactsOfRefusal;
  readonly details: { readonly [name: string]: string };
  /** Headers of the answer. */
  readonly headers: { readonly [name: string]: string };
}

/** A request refused by a rule. The code that replies converts it to the platform's dialect (see errors.ts). */
export class Refusal extends Error implements RefusalParts {
  readonly rule: AnyRule;
  readonly place: Place;
  readonly value: unknown;
  readonly fix: Fix;
  readonly facts: FactsOfRefusal;
  readonly details: RefusalParts['details'];
  readonly headers: RefusalParts['headers'];

  constructor({ rule, place, value, message, fix, facts, details, headers }: RefusalParts) {
    super(message);
    this.rule = rule;
    this.place = place;
    this.value = value;
    this.fix = fix;
    this.facts = facts;
    this.details = details;
    this.headers = headers;
  }

  /** The same refusal in the words of another request: another place, message or fix. */
  with(changes: Partial<Pick<RefusalParts, 'place' | 'value' | 'message' | 'fix'>>): Refusal {
    const { rule, place, value, message, fix, facts, details, headers } = this;
    return new Refusal({ rule, place, value, message, fix, facts, details, headers, ...changes });
  }
}

/** A refusal as a value, for replies that keep the changes, while a throw would revert them. */
export function toRefusal<Facts>(
  broken: Rule<Facts>,
  place: Place,
  value: unknown,
  facts: Facts,
  headers: RefusalParts['headers'] = {},
): Refusal {
  return new Refusal({
    rule: broken,
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

/** A place in the JSON body, by JSON pointer ('' is the whole body). */
export const inBody = (at: string): Place => ({ in: 'body', at });
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

/** A value for a message: JSON, cut at 80 characters. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

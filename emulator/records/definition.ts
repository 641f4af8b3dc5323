import type { Schema } from '../contract/schema.ts';
import type { View } from '../contract/shape.ts';
import type { StoredRecord } from './stored-record.ts';

/** A record as the search shows and finds it. */
export interface Found {
  /** The record's name, as a person would call it. */
  readonly title: string;
  readonly about: string;
  /** Further texts under which it is found. */
  readonly words: readonly string[];
}

/** The other records that a definition may read. */
export interface Others {
  ofPerson(collection: string, userId: string): readonly StoredRecord[];
}

// Methods, because TypeScript checks them bivariantly: a definition of specific records fits the general type.

/**
 * How the records of a collection belong to a person: erased with that person, and moved when two people are merged.
 */
export interface OfPerson<R = StoredRecord> {
  /** The field with the id of the person. */
  readonly field: string;
  /** The id of a record that is keyed by its person; left out if the id does not depend on the person. */
  idOf?(record: R): string;
}

/**
 * A person as records name them: by id, number, address or identifier. Several people if it is unclear who is meant.
 */
export interface Person {
  readonly ids: readonly string[];
  /** The `external_id` in payloads, also those of people who were merged into this person. */
  readonly numbers: readonly number[];
  /** Their phones, email addresses and identifiers, in lower case. */
  readonly called: readonly string[];
}

interface About<R> {
  /** The words for one such record, and for several. */
  readonly words: readonly [one: string, many: string];
  /** The owner: a company (`companyId`), the emulator itself, or a person of a company. */
  readonly owner: 'company' | 'emulator' | (OfPerson<R> & { readonly field: keyof R });
  /**
   * The fields that never change. By them, a merge finds the same record in another sandbox, where its id differs. Left
   * out: a record with another id is another record.
   */
  readonly fixed?: readonly (keyof R & string)[];
  /**
   * How far a record has progressed. Of two versions, a merge keeps the one that is further (see `isFurtherOn`), or else
   * the present one. Left out: it takes the incoming one.
   */
  progress?(record: R): number;
  /**
   * Makes one record of two with the same id: of two people who become one, or of two states that are merged. Left out:
   * the remaining person's record is kept, and a merge of states takes the incoming one.
   */
  unite?(kept: R, other: R): R;
  /** The fields with secrets; `previousKey.key` is a nested field. A function if they depend on the record. */
  readonly secret?: readonly string[] | ((record: R) => readonly string[]);
  /** How the search shows a record. Left out: these records are not searched. */
  found?(record: R, others: Others): Found;
  /** Whether a record is about a person. Left out: it is about the person to whom it belongs, if any. */
  names?(record: R, person: Person): boolean;
  /** The inspector's address for a record, with `{id}` in it; null if no view shows it. */
  readonly shownAt: string | null;
  /** The states of records that are not finished. */
  readonly open?: readonly StateOf<R>[];
  /** The states in which something went wrong. */
  readonly wrong?: readonly StateOf<R>[];
  /** How the timeline shows a record; by default as a change, with its moves. */
  readonly toldAs?: ToldAs;
}

/** The states of a record that has some. */
type StateOf<R> = R extends { readonly state: infer State extends string } ? State : string;

/**
 * How the timeline shows a record: as a change, as an entry of its own that belongs to its cause, or not at all (null)
 * if it is only a part of another change.
 */
export type ToldAs = 'change' | 'delivery' | 'message' | null;

/** Everything that the emulator knows about a kind of record; made by `record`. */
export interface Definition<R = StoredRecord, S extends Schema = Schema> {
  /** The shape. The check of data from files, the static type and the control API's view of a record follow from it. */
  readonly schema: S;
  readonly words: readonly [one: string, many: string];
  /**
   * The states of its field `state` if it has `stateful` fields, else none. `defineTableOf` makes its table from them.
   */
  readonly states: readonly StateOf<R>[];
  readonly open: readonly StateOf<R>[];
  readonly wrong: readonly StateOf<R>[];
  readonly hasCompany: boolean;
  readonly person: OfPerson<R> | null;
  /** Null: a merge recognizes a record by its id. */
  readonly fixed: readonly string[] | null;
  progress?(record: R): number;
  unite?(kept: R, other: R): R;
  secretsOf(record: R): readonly string[];
  found?(record: R, others: Others): Found;
  /** Whether a record is about a person; left out if no record of the kind is. */
  names?(record: R, person: Person): boolean;
  readonly shownAt: string | null;
  readonly toldAs: ToldAs;
}

/** The stored records of a definition. */
export type RecordOf<D extends { readonly schema: Schema }> = View<D['schema']>;

/** Collection name → definition. */
export type Definitions = { readonly [collection: string]: Definition };

/**
 * Defines a kind of record, once for everything that depends on it: the check of data from files, erasing after a
 * deletion request, merging two people, masking secrets, search, counts, links, and its view in the control API.
 */
export function record<const S extends Schema, R = View<S>>(schema: S, about: About<NoInfer<R>>): Definition<R, S> {
  const { words, owner, fixed = null, secret = [], shownAt, open = [], wrong = [], toldAs = 'change' } = about;
  const person: OfPerson<R> | null = typeof owner === 'object' ? owner : null;
  const names = about.names ?? (person && ((one: R, { ids }: Person) => ids.includes(personOf(one, person))));
  return {
    schema,
    words,
    states: statesOf(schema) as readonly StateOf<R>[],
    open,
    wrong,
    hasCompany: owner !== 'emulator',
    person,
    fixed,
    ...(about.progress ? { progress: about.progress } : {}),
    ...(about.unite ? { unite: about.unite } : {}),
    secretsOf: typeof secret === 'function' ? secret : () => secret,
    ...(about.found ? { found: about.found } : {}),
    ...(names ? { names } : {}),
    shownAt,
    toldAs,
  };
}

/**
 * Whether a version of a record is further on than another. A version that ended well is further on than one that did
 * not; else `progress` decides. Attempts alone do not: a delivery that failed often is behind one that was delivered at
 * once.
 */
export function isFurtherOn<R>(
  one: R,
  other: R,
  { states, open, wrong, progress }: Pick<Definition<R>, 'states' | 'open' | 'wrong' | 'progress'>,
): boolean {
  const hasEndedWell = (record: R): boolean => {
    const { state } = record as { readonly state?: StateOf<R> };
    return state !== undefined && states.includes(state) && ![...open, ...wrong].includes(state);
  };
  const [isWell, wasWell] = [hasEndedWell(one), hasEndedWell(other)];
  return isWell === wasWell ? (progress?.(one) ?? 0) > (progress?.(other) ?? 0) : isWell;
}

/** The id of the person to whom a record belongs. */
export function personOf<R>(record: R, { field }: Pick<OfPerson, 'field'>): string {
  return String((record as { readonly [field: string]: unknown })[field]);
}

function statesOf(schema: Schema): readonly string[] {
  const { state, history } = (schema as { readonly properties?: { readonly [name: string]: object } }).properties ?? {};
  return history ? ((state as { readonly enum?: readonly string[] } | undefined)?.enum ?? []) : [];
}

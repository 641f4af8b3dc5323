import type { Schema } from '../contract/schema.ts';
import type { View } from '../contract/shape.ts';
import type { StoredRecord } from './stored-record.ts';

/** A record as the search shows and finds it. */
export interface Found {
  /** What a person calls it. */
  readonly title: string;
  readonly about: string;
  /** Further texts under which it is found. */
  readonly words: readonly string[];
}

/** What a definition may read of other records. */
export interface Others {
  ofPerson(collection: string, userId: string): readonly StoredRecord[];
}

// Methods, checked bivariantly by TypeScript: a definition of some records fits any.

/** How the records of a collection belong to a person: they are erased with them, and move when two people become one. */
export interface OfPerson<R = StoredRecord> {
  /** The field with the id of the person. */
  readonly field: string;
  /** The id of a record that is keyed by its person; left out if the id does not depend on the person. */
  idOf?(record: R): string;
  /** Which record is kept if both people have one with the same id. By default that of the remaining person. */
  unite?(kept: R, other: R): R;
}

/** A person as records name them: by id, by number, or by what they are called. Several if it is not sure who is meant. */
export interface Person {
  readonly ids: readonly string[];
  /** The `external_id` of payloads, also of who became one with them. */
  readonly numbers: readonly number[];
  /** Their phones, email addresses and identifiers, in lower case. */
  readonly called: readonly string[];
}

interface About<R> {
  /** What a person calls one of them, and several. */
  readonly words: readonly [one: string, many: string];
  /** Whose they are: of a company (`companyId`), of the emulator itself, or of a person of a company. */
  readonly owner: 'company' | 'emulator' | (OfPerson<R> & { readonly field: keyof R });
  /**
   * The fields that never change, by which a merge finds the same one in another sandbox, where it has another id. Left out: with
   * another id it is another one.
   */
  readonly fixed?: readonly (keyof R & string)[];
  /**
   * How far one has come: of two versions of the same one a merge keeps the one that is further on (see `isFurtherOn`), or the
   * present one. Left out: it takes the one that comes.
   */
  progress?(record: R): number;
  /** The fields with secrets; `previousKey.key` is a nested field. A function if that depends on the record. */
  readonly secret?: readonly string[] | ((record: R) => readonly string[]);
  /** How the search shows one; left out: it is not searched for. */
  found?(record: R, others: Others): Found;
  /** Whether one is about a person. Left out: it is about the one to whom it belongs, if it belongs to a person. */
  names?(record: R, person: Person): boolean;
  /** The address in the inspector at which one is shown, with `{id}` in it; null if no view shows it. */
  readonly shownAt: string | null;
  /** The states in which more is to come. */
  readonly open?: readonly StateOf<R>[];
  /** The states in which something went wrong. */
  readonly wrong?: readonly StateOf<R>[];
  /** What one is in the timeline; a change, with its moves, by default. */
  readonly toldAs?: ToldAs;
}

/** The states of a record that has some. */
type StateOf<R> = R extends { readonly state: infer State extends string } ? State : string;

/**
 * What a record is in the timeline: a change, an entry of its own that belongs to what made it, or null for what is only
 * a part of another change.
 */
export type ToldAs = 'change' | 'delivery' | 'message' | null;

/** Everything that the emulator knows of a kind of record; made by `record`. */
export interface Definition<R = StoredRecord, S extends Schema = Schema> {
  /** Its shape: the check of what is read from files, its static type, and how the control API shows it follow from it. */
  readonly schema: S;
  readonly words: readonly [one: string, many: string];
  /** Those of its field `state`, if it has `stateful` fields; else none. Its table is made from them (`defineTableOf`). */
  readonly states: readonly StateOf<R>[];
  readonly open: readonly StateOf<R>[];
  readonly wrong: readonly StateOf<R>[];
  readonly hasCompany: boolean;
  readonly person: OfPerson<R> | null;
  /** Null: a merge knows one by its id. */
  readonly fixed: readonly string[] | null;
  progress?(record: R): number;
  secretsOf(record: R): readonly string[];
  found?(record: R, others: Others): Found;
  /** Whether one is about a person; none if no record of the kind is. */
  names?(record: R, person: Person): boolean;
  readonly shownAt: string | null;
  readonly toldAs: ToldAs;
}

/** The stored records of a definition. */
export type RecordOf<D extends { readonly schema: Schema }> = View<D['schema']>;

/** Collection name → definition. */
export type Definitions = { readonly [collection: string]: Definition };

/**
 * Defines a kind of record, once for everything that depends on it: the check of what is read from files, erasing after
 * a deletion request, merging two people, masking secrets, search, counts, links, and its view in the control API.
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
    secretsOf: typeof secret === 'function' ? secret : () => secret,
    ...(about.found ? { found: about.found } : {}),
    ...(names ? { names } : {}),
    shownAt,
    toldAs,
  };
}

/**
 * Whether a version of a record is further on than another one: it has ended well and the other has not, else by `progress`.
 * Attempts alone do not tell: a delivery that failed often is behind one that was delivered at once.
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

/** Mistakes in a declared world, and the names by which its items refer to each other. */
import { didYouMean } from '../errors.ts';
import type { Users } from '../people/users.ts';
import type { Company } from '../records.ts';
import { Refusal } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { toPath, type Path, type Problem } from '../config/problems.ts';
import type { WorldDeclaration } from './schema.ts';

/** An item of one of the lists of a declaration. */
export type Item<K extends keyof WorldDeclaration> =
  NonNullable<WorldDeclaration[K]> extends readonly (infer T)[] ? T : never;

export interface PlantDeps {
  /** Runs the work for one place. Its mistake is kept, and the work for the next place continues. */
  readonly at: (path: Path, work: () => void) => void;
  readonly store: Store;
  readonly users: Users;
  /** The values, by the attribute's id, that people may have although the fixed set of the attribute has lost them. */
  readonly kept: Map<string, readonly string[]>;
  /** Epoch milliseconds on the clock of the declared world. */
  readonly now: number;
  /** The name of the world, as the origin of its addresses. */
  readonly name: string;
  /**
   * Returns the secret that was made for a place of the world before, so that it is the same after a reset; else a new
   * one.
   */
  readonly secretOf: (...place: readonly unknown[]) => string;
}

/** The thing that a name in a declaration refers to. */
export interface Reference {
  readonly kind: 'companies' | 'apps' | 'signUpUnits' | 'attributes';
  /** Null for the only one, or the first one. */
  readonly name: string | null;
}

/** A mistake in a declaration; `path` is relative to the record at hand. */
export class Mistake extends Error {
  readonly path: Path;
  /** The reference, if it names something that does not exist. */
  readonly missing: Reference | null;

  constructor(path: Path, says: string, missing: Reference | null = null) {
    super(says);
    this.path = path;
    this.missing = missing;
  }
}

/** @throws the error itself if it is not a mistake of the file */
export function toProblem(error: unknown, at: Path): Problem {
  if (error instanceof Mistake) return { path: [...at, ...error.path], says: error.message };
  if (!(error instanceof Refusal)) throw error;
  const fields: { readonly [field: string]: string } = {
    distributionStart: 'start',
    distributionStop: 'stop',
    secret: 'key',
  };
  const path = toPath(error.place.in === 'body' ? error.place.at : '', null);
  return { path: [...at, ...path.map((step) => fields[step] ?? step)], says: error.message };
}

/** The company that a declaration names, or the only one. */
export function companyOf(store: Store, { company }: { readonly company?: string }): Company {
  const all = store.companies.records();
  const names = all.map(({ name }) => name);
  if (company === undefined) {
    if (all.length === 1 && all[0]) return all[0];
    throw new Mistake(
      ['company'],
      `Which company? ${names.length === 0 ? 'None is declared.' : `Name one of ${names.join(', ')}.`}`,
    );
  }
  const found = all.find(({ name, id }) => name === company || id === company);
  if (found) return found;
  throw notFound(['company'], { kind: 'companies', name: company }, names);
}

const words = { companies: 'company', apps: 'app', signUpUnits: 'sign-up unit', attributes: 'attribute' } as const;

/**
 * The mistake of a name that nothing has.
 * @param known the names that exist
 */
export function notFound(
  path: Path,
  missing: Reference & { readonly name: string },
  known: readonly string[],
): Mistake {
  const { kind, name } = missing;
  return new Mistake(path, `There is no ${words[kind]} ${JSON.stringify(name)}. ${meant(name, known)}`, missing);
}

/** The known word that is nearest, as a sentence. */
function meant(word: string, known: readonly string[]): string {
  return known.length === 0 ? 'None is declared.' : didYouMean(word, known);
}

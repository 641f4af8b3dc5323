/** The mistakes in a file that declares something, each with its line and field. */
import { toNames } from '../contract/pointer.ts';
import { nearestOf } from '../contract/unknown-fields.ts';
import { toValidator } from '../contract/validate.ts';
import type { Schema } from '../contract/schema.ts';
import { UserError, didYouMean, mustCompile, reasonOf } from '../errors.ts';
import { expected, shown } from '../records/misfit.ts';
import type { Path } from './code-lines.ts';
import type { Source } from './source.ts';

export type { Path } from './code-lines.ts';

/** A mistake. `says` is a sentence that begins with the field. */
export interface Problem {
  readonly path: Path;
  readonly says: string;
}

/** A mistake with its place in the file. */
export interface PlacedProblem {
  readonly file: string;
  readonly line: number | null;
  /** `apps[2].company`; empty for the whole file. */
  readonly field: string;
  readonly says: string;
}

/** How many mistakes a message names at most: people do not read more at once. */
const mostSaid = 20;

/** The error for a file with mistakes; its message has a line for each. */
export class DeclarationError extends UserError {
  readonly problems: readonly PlacedProblem[];

  constructor(problems: readonly PlacedProblem[]) {
    const more = problems.length - mostSaid;
    const lines = problems.slice(0, mostSaid).map(toLine);
    super([...lines, ...(more > 0 ? [`There are ${more} more mistakes in ${problems[0]?.file}.`] : [])].join('\n'));
    this.problems = problems;
  }
}

/** `world.yaml:7: apps[2].company: …` */
export function toLine({ file, line, says }: PlacedProblem): string {
  return `${file}${line === null ? '' : `:${line}`}: ${says}`;
}

/**
 * Finds every way in which a value does not fit a schema.
 * @throws UserError if no schema can be compiled
 */
export async function findMisfits(value: unknown, schema: Schema): Promise<readonly Problem[]> {
  const unstorable = findUnstorable(value);
  if (unstorable.length > 0) return unstorable;
  mustCompile();
  const validate = await toValidator(schema, 'all');
  const problems = validate(value).map(({ keyword, pointer, params, value: sent, schema: unmet }): Problem => {
    const path = toPath(pointer, value);
    const at = toSubject(path);
    if (keyword === 'required') return { path, says: `${at} is missing.` };
    if (keyword !== 'additionalProperties')
      return { path, says: `${at} is ${shown(sent)}, not ${expected(unmet)}.${suggest(sent, unmet)}` };
    const known = Object.keys((unmet as { readonly properties?: object }).properties ?? {});
    const name = String(params['additionalProperty']);
    const within = toField(path.slice(0, -1));
    return {
      path,
      says: `There is no "${name}"${within === '' ? '' : ` in ${within}`}. ${didYouMean(name, known)}`,
    };
  });
  // A text that is too short and also has a wrong form breaks two rules, but is one mistake.
  return [...new Map(problems.map((one) => [one.says, one])).values()];
}

/** Suggests what was probably meant, as a sentence after another one; empty if nothing is near. */
function suggest(sent: unknown, schema: object): string {
  const { enum: values = [], type = [] } = schema as { readonly enum?: readonly unknown[]; readonly type?: unknown };
  // YAML reads a phone as a number, and drops its plus sign.
  if (isScalar(sent) && values.length === 0 && [type].flat().includes('string')) return ' Put it in quotes.';
  const words = values.filter((value) => typeof value === 'string');
  const nearest = typeof sent === 'string' ? nearestOf(sent, words) : null;
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** Finds the values that JSON cannot hold. Where there are any, no schema is checked. */
export function findUnstorable(value: unknown): readonly Problem[] {
  return [...findAlive(value, [], [])];
}

/**
 * Finds values that code, or a reference in YAML, can declare but JSON cannot hold: they cannot be checked, shown or
 * stored.
 */
function* findAlive(value: unknown, path: Path, around: readonly unknown[]): Iterable<Problem> {
  if (path.length > 0 && ['bigint', 'function', 'symbol'].includes(typeof value))
    yield {
      path,
      says: `${toSubject(path)} is a ${typeof value}, not text, a number, true, false, null, a list or an object.`,
    };
  if (typeof value === 'number' && !Number.isFinite(value))
    yield { path, says: `${toSubject(path)} is ${value}, which is not a number that can be stored.` };
  if (typeof value !== 'object' || value === null) return;
  if (around.includes(value))
    return yield { path, says: `${toSubject(path)} refers back to a value that contains it, so it has no end.` };
  for (const name of Object.keys(value)) {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    let inner: unknown;
    try {
      inner = (value as { readonly [name: string]: unknown })[name];
    } catch (error) {
      yield {
        path: at,
        says: `${toSubject(at)} cannot be read: ${reasonOf(error)}`,
      };
      continue;
    }
    yield* findAlive(inner, at, [...around, value]);
  }
}

function toSubject(path: Path): string {
  return path.length === 0 ? 'It' : `"${toField(path)}"`;
}

/** @throws DeclarationError with the place of each problem, if there is one */
export async function refuseProblems({ name, lineOf }: Source, problems: readonly Problem[]): Promise<void> {
  if (problems.length === 0) return;
  const placed = await Promise.all(
    problems.map(async ({ path, says }) => ({ file: name, line: await lineOf(path), field: toField(path), says })),
  );
  throw new DeclarationError(placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)));
}

/** `['apps', 2, 'company']` → `apps[2].company`. */
export function toField(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

/** Turns a JSON pointer into a path; positions in lists are numbers. */
export function toPath(pointer: string, root: unknown): Path {
  let node = root;
  return toNames(pointer).map((name) => {
    const step = Array.isArray(node) ? Number(name) : name;
    node = (node as { readonly [name: string | number]: unknown } | null | undefined)?.[step];
    return step;
  });
}

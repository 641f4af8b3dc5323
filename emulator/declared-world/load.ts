/** Reads and checks a declared world, as a state that can replace another one. */
import { readDeclared } from '../config/load.ts';
import { findMisfits, findUnstorable, refuseProblems, toField, type Path, type Problem } from '../config/problems.ts';
import type { Source } from '../config/source.ts';
import { toEpoch } from '../contract/formats.ts';
import { readCodes } from '../features/offers/codes.ts';
import { toFaultSpec } from '../http/faults/spec.ts';
import { createUsers } from '../people/users.ts';
import { openStore, type StateDocument } from '../store/store.ts';
import { checkRate, toState, type ClockState } from '../time/clock-state.ts';
import type { Pace } from '../time/pace.ts';
import { toProblem, type PlantDeps } from './mistake.ts';
import { plantWorld } from './plant.ts';
import { worldSchema, type WorldDeclaration } from './schema.ts';

/** A declared world as a state. */
export interface DeclaredWorld {
  /** The name of the file, for sentences. */
  readonly name: string;
  readonly document: StateDocument;
  /** The codes of the offers, by upload. */
  readonly codes: readonly { readonly kind: 'codes'; readonly id: string; readonly lines: readonly string[] }[];
  readonly faults: NonNullable<WorldDeclaration['faults']>;
  /** Null if no clock is declared. */
  readonly clock: ClockState | null;
  readonly pace: Pace | null;
}

/**
 * Reads a world and builds it separately.
 * @param from a path, or the declaration itself
 * @param operations the names of operations that faults may have
 * @param secretOf returns the secret for a place that declares none
 * @throws DeclarationError that names file, line and field of each mistake; UserError for a file that cannot be read
 */
export async function loadWorld(
  from: string | WorldDeclaration,
  {
    wall,
    operations,
    secretOf,
  }: { readonly wall: number; readonly operations: readonly string[] } & Pick<PlantDeps, 'secretOf'>,
): Promise<DeclaredWorld> {
  const source = typeof from === 'string' ? await readDeclared(from) : toSource(from);
  await refuseProblems(source, findUnstorable(source.value));
  const misfits = await findMisfits(source.value, worldSchema);
  if (misfits.some(isOfAll)) await refuseProblems(source, misfits);
  // What fits the schema is checked further, so that all mistakes are named at once.
  const places = misfits.map(({ path }) => path);
  const isMisfit = (...place: Path): boolean =>
    places.some((path) => place.every((step, index) => path[index] === step));
  const declared = source.value as WorldDeclaration;
  const { clock, faults = [] } = declared;
  const {
    time,
    frozen = false,
    rate = 1,
    pace = null,
  } = withoutFields(clock ?? {}, (field) => isMisfit('clock', field));
  const now = time === undefined ? wall : (toEpoch(time) ?? wall);
  const store = await openStore({ dataDir: null, now: () => now });
  try {
    const name = `the world ${source.name}`;
    const planted = plantWorld(declared, { store, users: createUsers(store), now, name, secretOf }, places);
    const problems = [
      ...planted,
      ...problemsOf(['clock'], () => checkRate(rate)),
      ...faults.flatMap((fault, at) =>
        isMisfit('faults', at) ? [] : problemsOf(['faults', at], () => toFaultSpec(fault, operations)),
      ),
    ];
    await refuseProblems(source, [
      ...misfits,
      ...problems.map(({ path, says }) => ({ path, says: `${toField(path)}: ${says}` })),
    ]);
    const uploads = store.offerUploads.records();
    return {
      name: source.name,
      document: store.toDocument(),
      codes: await Promise.all(
        uploads.map(async ({ id }) => ({ kind: 'codes', id, lines: await readCodes(store, id) }) as const),
      ),
      faults,
      clock: clock ? toState({ anchor: wall, offset: now - wall, frozenAt: frozen ? now : null, rate }) : null,
      pace,
    };
  } finally {
    await store.close();
  }
}

/**
 * Whether the rest of a world cannot be checked because of a misfit: it is the whole world, a whole list, or a company,
 * to which the other records belong.
 */
function isOfAll({ path: [kind, at] }: Problem): boolean {
  return at === undefined || kind === 'companies';
}

function withoutFields<T extends object>(all: T, isLeftOut: (field: string) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([field]) => !isLeftOut(field))) as Partial<T>;
}

function toSource(value: WorldDeclaration): Source {
  return { name: 'The world', folder: process.cwd(), value, lineOf: () => Promise.resolve(null) };
}

/** The problem that a check finds at a place, if there is one. */
function problemsOf(at: Path, check: () => unknown): readonly Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    return [toProblem(error, at)];
  }
}

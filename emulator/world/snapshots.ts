/** Snapshots: the whole state, kept under a name, restored, or carried elsewhere as one readable file. */
import { reasonOf } from '../errors.ts';
import { toIso, type Clock } from '../time/clock.ts';
import { createInTurn } from '../time/in-turn.ts';
import { inSlices } from '../time/slices.ts';
import { shownTime } from '../time/time-settings.ts';
import { parseInSlices, withoutMark } from '../time/parse-slices.ts';
import type { CollectionName } from '../records.ts';
import { inBody, inPath, refuse, Refusal } from '../rules.ts';
import { checkedName, type SnapshotFile } from '../store/snapshot-files.ts';
import type { BlobCopy, RecordLists, StateDocument, Store } from '../store/store.ts';
import type { Undo } from './undo.ts';
import type { Done } from './edits.ts';
import type { Led, World } from './world.ts';
import { readFiles, writeFiles, type SavedProducts } from './files.ts';
import { currentFormat } from '../records/migrations.ts';
import { blobKinds, readHead, toHead, toSnapshot, type Snapshot, type SnapshotHead } from './format.ts';
import { worldRules } from './rules.ts';
import { serialise } from './serialise.ts';
import { holdBack, type HeldBackIds } from './imported.ts';
import { mergeDocuments, type Replaced } from './merge.ts';
import { uniteCodes } from './merge-codes.ts';
import type { HeldBack, RestoreMode, SnapshotLine } from './shapes.ts';
import { withMaskedSecrets, withNewSecrets } from './secrets.ts';

export interface Restored {
  readonly mode: RestoreMode;
  /** Records that came with the snapshot. */
  readonly records: number;
  /** Records whose masked secrets are new ones now. */
  readonly renewedSecrets: readonly { readonly collection: CollectionName; readonly id: string }[];
  /** How many of the records from a file were held back and are in the state now; 0 for a snapshot of this store. */
  readonly heldBack: HeldBack;
  /** The records that a merge replaced, although they were different things with the same id. */
  readonly replaced: readonly Replaced[];
}

export interface SaveOptions {
  readonly overwrite?: boolean | undefined;
  /** The records of an earlier moment, epoch ms on the virtual clock; the present ones if not given. */
  readonly of?: { readonly at: number; readonly document: StateDocument } | undefined;
}

export interface Snapshots {
  /**
   * Saves a snapshot; calls run one after the other. Refused for a name that is invalid or taken (unless it may be
   * overwritten), and for a state that is too large.
   */
  save(name: string, options?: SaveOptions): Promise<SnapshotLine>;
  list(): Promise<readonly SnapshotLine[]>;
  /** Restores a snapshot. Refused if there is no such snapshot, or if it cannot be used; then nothing is changed. */
  restore(name: string, mode: RestoreMode): Promise<Restored>;
  /** Removes a snapshot. False if there was none. */
  remove(name: string): boolean;
  /** The snapshot with that name, or the current state. Secrets are masked unless they are asked for. */
  export(options: { readonly name?: string | undefined; readonly secrets: boolean }): Promise<Snapshot>;
  /**
   * Imports an exported state, also one of an older version. Its waiting deliveries are paused, and its webhooks reach
   * this machine only. Refused if it cannot be used; then nothing is changed.
   */
  import(value: unknown, mode: RestoreMode): Promise<Restored>;
}

export interface SnapshotsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: World;
  readonly undo: Undo;
  readonly products: SavedProducts;
  readonly version: string;
}

/** Creates the snapshots of a store. */
export function createSnapshots({ store, clock, world, undo, products, version }: SnapshotsDeps): Snapshots {
  const { snapshots: kept } = store;
  const inTurn = createInTurn();
  let commits = 0;
  store.onCommit(() => (commits += 1));

  const take = async (of?: SaveOptions['of']): Promise<Snapshot> => {
    const { document: present, files } = world.checkpoint();
    const { at, document } = of ?? { at: clock.now(), document: present };
    try {
      const ids = (name: CollectionName): readonly string[] => (document.collections[name] ?? []).map(({ id }) => id);
      return {
        sandpiper: 'snapshot',
        format: currentFormat,
        version,
        savedAt: toIso(at),
        wallAt: toIso(clock.wall()),
        secrets: 'whole',
        sequence: document.sequence,
        collections: document.collections,
        files: await readFiles(files, (kind) => ids(blobKinds[kind].owner), products),
      };
    } finally {
      files.release();
    }
  };

  const readJson = async (name: string): Promise<unknown> => parse(await kept.read(name), name);
  const read = async (name: string): Promise<Snapshot> => toSnapshot(await readJson(name), store.definitions);

  const bring = (
    snapshot: Snapshot,
    mode: RestoreMode,
    done: Done,
    led: Led,
    held: HeldBackIds = { deliveries: [], webhooks: [] },
  ): Promise<Restored> =>
    world.replaceInTurn(async () => {
      const present = (name: CollectionName, id: string) => store.collection(name).get(id);
      const { collections, renewed } = await withNewSecrets(store.definitions, snapshot.collections, present);
      const wanted = { ...snapshot, collections };
      for (let tries = 1; tries <= mergeTries; tries++) {
        const brought = await replace(wanted, mode, done, led);
        if (!brought) continue;
        const { replaced, passedOver } = brought;
        const came = (ids: readonly string[]): number => ids.filter((id) => !passedOver?.has(id)).length;
        const heldBack = { deliveries: came(held.deliveries), webhooks: came(held.webhooks) };
        return { mode, records: countRecords(collections), renewedSecrets: renewed, heldBack, replaced };
      }
      return refuse(worldRules.overtaken, inPath(''), undefined, { tries: mergeTries });
    });

  /** Replaces the state. Null if something was written meanwhile that a merge would lose; then nothing happened. */
  const replace = async (wanted: Snapshot, mode: RestoreMode, done: Done, led: Led): Promise<Brought | null> => {
    const seen = commits;
    const files: BlobCopy = mode === 'merge' ? store.blobs.copy() : store.blobs.stage();
    try {
      const merged =
        mode === 'merge'
          ? await inSlices(mergeDocuments(store.definitions, store.toDocument(), wanted, toIso(clock.now())))
          : null;
      const came = wanted.files.filter(({ id }) => !merged?.passedOver.has(id));
      const named = came.map((file) => ({ ...file, id: merged?.renamed.get(file.id) ?? file.id }));
      await writeFiles(files, named, products);
      const document = merged
        ? await uniteCodes(merged.document, wanted, merged.renamed, files, products)
        : toState(wanted);
      await undo.editWorld(done, (remember) =>
        world.restore({ document, files, ...(merged ? {} : { led }) }, () => {
          if (mode === 'merge' && commits !== seen) throw overtaken;
          remember();
        }),
      );
      return merged ?? { replaced: [] };
    } catch (error) {
      if (error === overtaken) return null;
      throw error;
    } finally {
      files.release();
    }
  };

  /**
   * Name → the head of a file that does not begin with it, because a program sorted the fields. The file was read
   * whole, which takes long.
   */
  const readWhole = new Map<string, { readonly state: string; readonly head: SnapshotHead | null }>();
  const headOf = async ({ name, head, state }: SnapshotFile): Promise<SnapshotHead | null> => {
    const first = readHead(head);
    if (first) return first;
    const known = readWhole.get(name);
    if (known?.state === state) return known.head;
    const whole = await readJson(name).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
    const found = toHead(whole);
    readWhole.set(name, { state, head: found });
    return found;
  };

  const lines = async (): Promise<readonly SnapshotLine[]> => {
    const found: SnapshotLine[] = [];
    for (const file of await kept.list()) {
      const head = await headOf(file);
      if (head !== null) found.push({ name: file.name, bytes: file.bytes, ...head });
    }
    return found;
  };

  const save = async (name: string, { overwrite = false, of }: SaveOptions): Promise<SnapshotLine> => {
    const isThere = kept.has(checkedName(name, inBody('/name')));
    if (isThere && !overwrite) return refuse(worldRules.taken, inBody('/name'), name, { name });
    const same = (await kept.list()).find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (same && !isThere) return refuse(worldRules.spelling, inBody('/name'), name, { name, existing: same.name });
    const snapshot = await take(of);
    const bytes = await kept.write(name, serialise(snapshot));
    const { format, version, savedAt, wallAt, collections } = snapshot;
    return { name, bytes, records: countRecords(collections), format, version, savedAt, wallAt };
  };

  return {
    save: (name, options = {}) => inTurn(() => save(name, options)),
    list: lines,
    async restore(name, mode) {
      const snapshot = await read(name);
      const says = `The snapshot "${name}" was ${mode === 'merge' ? 'merged in' : 'restored'}.`;
      return bring(snapshot, mode, { code: 'world.restored', says }, world.ledUntil(Date.parse(snapshot.wallAt)));
    },
    remove(name) {
      const had = kept.has(name);
      if (had) kept.remove(name);
      return had;
    },
    async export({ name, secrets }) {
      const whole = name === undefined ? await take() : await read(name);
      return secrets
        ? whole
        : { ...whole, secrets: 'masked', collections: await withMaskedSecrets(store.definitions, whole.collections) };
    },
    async import(value, mode) {
      // A merge may bring what belongs to people who are here.
      const isKnown = (id: string): boolean => mode === 'merge' && store.users.get(id) !== undefined;
      const snapshot = await toSnapshot(value, store.definitions, isKnown);
      // A merge keeps the present clock; otherwise the clock of the file applies from now on.
      const at = mode === 'merge' ? clock.now() : shownTime(snapshot, clock.wall());
      const { collections, heldBack } = await inSlices(holdBack(snapshot.collections, toIso(at)));
      const says = `A file was ${mode === 'merge' ? 'merged in' : 'imported'}.`;
      const wanted = { ...snapshot, collections };
      // Nothing that was recorded here led to it.
      return bring(wanted, mode, { code: 'world.imported', says }, world.ledUntil(-Infinity), heldBack);
    },
  };
}

/**
 * The records that an incoming state replaced, and the ids of those that were left out, because a merge kept the
 * version here.
 */
interface Brought {
  readonly replaced: readonly Replaced[];
  readonly passedOver?: ReadonlySet<string>;
}

/**
 * How often a merge is tried: it is written as a whole state before it takes effect, and must include what others write
 * meanwhile.
 */
const mergeTries = 10;
const overtaken = new Error('Something was written while the states were merged.');

function toState({ sequence, collections }: Pick<StateDocument, 'sequence' | 'collections'>): StateDocument {
  return { format: currentFormat, sequence, collections };
}

function countRecords(collections: RecordLists): number {
  return Object.values(collections).reduce((sum, records) => sum + records.length, 0);
}

async function parse(bytes: Buffer, name: string): Promise<unknown> {
  try {
    return await parseInSlices(withoutMark(bytes));
  } catch (error) {
    return refuse(worldRules.json, inPath('name'), name, { name, problem: reasonOf(error) });
  }
}

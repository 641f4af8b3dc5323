/** The reset to an empty store, the demo world, or the declared world. */
import { seedDemo } from '../declared-world/demo.ts';
import type { WorldDeclaration } from '../declared-world/schema.ts';
import type { Faults } from '../http/faults/faults.ts';
import { randomSecret } from '../ids.ts';
import type { RecordedExchange } from '../http/record/recorded-exchange.ts';
import type { Recorder } from '../http/record/recorder.ts';
import { allowedHostsSetting, receiverPortSetting } from '../records/accounts.ts';
import { createUsers } from '../people/users.ts';
import { emptyDocument, openStore, type StateDocument, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import type { Pace } from '../time/pace.ts';
import { paceSetting, toTimeSettings } from '../time/time-settings.ts';
import type { Activity } from './activity.ts';
import { writeFiles, type SavedProducts } from './files.ts';
import type { SnapshotBlob } from './format.ts';
import type { ResetMark } from './reset-mark.ts';
import type { FreshWorld } from './shapes.ts';
import type { Memory } from './undo-parts.ts';
import type { Undo } from './undo.ts';
import type { World } from './world.ts';

/**
 * Resets everything in one step, durable when it resolves, or nothing. Time is real again and the pace stays, unless
 * the declared world says otherwise. A reset can be undone. Without `keepSettings` the pace is again that of the start,
 * and the hosts that were allowed by hand are forgotten.
 * @throws UserError for a declared world with mistakes, or that cannot be read; then nothing is changed
 */
export type Reset = (to: FreshWorld, how?: { readonly keepSettings: boolean }) => Promise<void>;

export interface ResetDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: World;
  readonly undo: Undo;
  /** Options of the start: the declared world as a path or a declaration, null if there is none; and the pace. */
  readonly options: { readonly world: string | WorldDeclaration | null; readonly pace: Pace };
  readonly faults: Pick<Faults, 'add' | 'operations'>;
  readonly products: SavedProducts;
  readonly recorder: Pick<Recorder, 'all' | 'takeOut' | 'loaded' | 'written'>;
  readonly mark: ResetMark;
  readonly memory: readonly Memory[];
}

/** The data that replaces the present state. */
interface Fresh {
  readonly document: StateDocument;
  readonly blobs: readonly SnapshotBlob[];
  readonly faults: readonly { readonly [field: string]: unknown }[];
  readonly says: string;
}

/** Creates the reset. The new data is built separately, while the current data stays in use until it is replaced. */
export function createReset(deps: ResetDeps): Reset {
  const { store, clock, world, undo, faults, products, recorder, mark, memory } = deps;
  const secrets = new Map<string, string>();
  const written = (): Promise<unknown> => Promise.all([recorder.written(), world.activities.written()]);
  // What an earlier process did not remove was left out when this one read it.
  if (mark.unfinished) void recorder.loaded.then(written).then(mark.remove);
  return async (to, { keepSettings } = { keepSettings: true }) => {
    // Load it before a running jump is ended, because a declared world may have mistakes.
    const fresh = await freshWorld(to, deps);
    await world.replaceInTurn(async () => {
      const files = store.blobs.stage();
      let earlier: readonly RecordedExchange[] = [];
      let done: readonly Activity[] = [];
      try {
        await writeFiles(files, fresh.blobs, products);
        await undo.editWorld(
          { code: 'world.reset', says: `Everything was reset to ${fresh.says}.` },
          (remember) =>
            world.restore({ document: keepSettings ? withSettings(fresh.document) : fresh.document, files }, () => {
              remember();
              earlier = recorder.all();
              done = world.activities.all();
              mark.write({ request: earlier.at(-1)?.sequence ?? 0, activity: done.at(-1)?.id ?? null });
            }),
          { memory: true },
        );
        // Requests that came since then belong to the new state.
        recorder.takeOut(earlier);
        world.activities.takeOut(done);
        for (const one of memory) one.clear();
        for (const fault of fresh.faults) faults.add(fault);
        await written();
      } finally {
        files.release();
        mark.remove();
      }
    });
  };

  /**
   * The secret for a place of the declared world. Programs got its keys at the start, so a reset gives it the same
   * ones.
   */
  function secretOf(...place: readonly unknown[]): string {
    const id = JSON.stringify(place);
    const secret = secrets.get(id) ?? randomSecret();
    secrets.set(id, secret);
    return secret;
  }

  /** The developer's settings stay, unless the world declares them. */
  function withSettings({ collections, ...fresh }: StateDocument): StateDocument {
    const declared = collections.settings ?? [];
    const kept = (store.toDocument().collections.settings ?? []).filter(({ id }) => keptSettings.includes(id));
    const others = kept.filter(({ id }) => !declared.some((one) => one.id === id));
    return { ...fresh, collections: { ...collections, settings: [...declared, ...others] } };
  }

  async function freshWorld(name: FreshWorld, { options: { world: declared, pace } }: ResetDeps): Promise<Fresh> {
    const now = clock.wall();
    if (name === 'empty') return { document: emptyDocument(), blobs: [], faults: [], says: 'an empty store' };
    if (name === 'demo' || declared === null)
      return { document: await demoDocument(now), blobs: [], faults: [], says: 'the demo world' };
    const { loadWorld } = await import('../declared-world/load.ts');
    const loaded = await loadWorld(declared, { wall: now, operations: faults.operations, secretOf });
    const { collections, ...rest } = loaded.document;
    const settings = toTimeSettings({ clock: loaded.clock, pace: loaded.pace, startedWith: pace });
    return {
      document: { ...rest, collections: { ...collections, settings } },
      blobs: loaded.codes,
      faults: loaded.faults,
      says: typeof declared === 'string' ? `the world ${loaded.name}` : 'the world of the start',
    };
  }
}

/** The settings that a reset leaves as they are. */
const keptSettings: readonly string[] = [paceSetting, allowedHostsSetting, receiverPortSetting];

async function demoDocument(now: number): Promise<StateDocument> {
  const beside = await openStore({ dataDir: null, now: () => now });
  seedDemo(beside, createUsers(beside), now);
  const document = beside.toDocument();
  await beside.close();
  return document;
}

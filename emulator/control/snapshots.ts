import { UserError } from '../errors.ts';
import type { Feed } from '../feed.ts';
import type { Restored, Snapshots } from '../world/snapshots.ts';
import type { Store } from '../store/store.ts';
import { snapshotNameProblem } from '../store/snapshot-files.ts';
import { saveWorld } from '../declared-world/save.ts';
import type { Faults } from '../http/faults.ts';
import type { Clock } from '../time/clock.ts';
import type { TimeSettings } from '../time/time-settings.ts';
import type { Reset } from '../world/reset.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import { toKind } from '../records/kind.ts';
import { badRequest, conflict, notFound } from './server/problems.ts';
import type { RestoredView, snapshotCalls } from './contract/snapshots.ts';
import type { Handlers } from './route.ts';

export interface SnapshotHandlerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly time: TimeSettings;
  readonly faults: Pick<Faults, 'all'>;
  readonly reset: Reset;
  readonly snapshots: Snapshots;
  readonly undo: Undo;
  readonly world: World;
  /** Notifies watchers that a snapshot was kept or deleted, as of a record of the kind `snapshots`. */
  readonly feed: Pick<Feed, 'publish'>;
}

/** Snapshots, exports and imports, the reset, and the undo of what took something away. */
export function createSnapshotHandlers({
  store,
  clock,
  time,
  faults,
  reset,
  snapshots,
  undo,
  world,
  feed,
}: SnapshotHandlerDeps): Handlers<typeof snapshotCalls> {
  const tell = (name: string): void =>
    feed.publish({ type: 'records', changes: [{ collection: 'snapshots', id: name }] });
  const missing = (name: string): never =>
    notFound(`There is no snapshot "${name}". "sandpiper snapshot list" shows them.`);

  return {
    'GET /control/snapshots': async () => ({ snapshots: await snapshots.list() }),
    async 'POST /control/snapshots'({ body: { name, overwrite } }) {
      const problem = snapshotNameProblem(name);
      if (problem !== null) badRequest(problem, '/name');
      const saved = await explained(() => snapshots.save(name, { overwrite }));
      tell(name);
      return saved;
    },
    async 'POST /control/snapshots/{name}/restore'({ params: { name }, body: { mode = 'replace' } }) {
      const known = (await snapshots.list()).some((one) => one.name === name);
      return known ? toView(await explained(() => snapshots.restore(name, mode))) : missing(name);
    },
    async 'DELETE /control/snapshots/{name}'({ params: { name } }) {
      const removed = await explained(() => Promise.resolve().then(() => snapshots.remove(name)));
      if (!removed) return missing(name);
      tell(name);
      return null;
    },
    'GET /control/snapshots/{name}/export': async ({ params: { name }, query: { secrets } }) => ({
      ...(await explained(() => snapshots.export({ name, secrets: secrets === 'true' }))),
    }),
    'GET /control/export': async ({ query: { secrets } }) => ({
      ...(await explained(() => snapshots.export({ secrets: secrets === 'true' }))),
    }),
    'POST /control/import': async ({ body, query: { mode = 'replace' } }) =>
      toView(await explained(() => snapshots.import(body, mode))),
    'GET /control/world': () => saveWorld({ store, clock, pace: time.pace(), faults: faults.all() }),
    async 'POST /control/reset'({ body }) {
      await reset(body.world);
      return null;
    },
    async 'POST /control/save'() {
      await store.snapshot();
      return null;
    },
    'GET /control/undo': () => ({ acts: undo.list(), redo: undo.redoable() }),
    async 'POST /control/undo'({ body: { id, andNewer = false } }) {
      const edit = await world.replaceInTurn(async () => {
        const [newest] = undo.list();
        if (id === undefined) return undo.undo();
        if (newest && newest.id !== id && !andNewer && undo.list().some((one) => one.id === id))
          return conflict(`Something else was done since: ${newest.says} Undo that first, or send "andNewer": true.`);
        return undo.undoBackTo(id);
      });
      if (!edit && id !== undefined)
        return conflict(`${id} cannot be undone any more. "sandpiper undo --list" shows what can.`);
      if (!edit) return conflict('There is nothing to undo since Sandpiper started.');
      return { id: edit.id, code: edit.code, undone: edit.says, at: edit.at, takesBack: edit.takesBack };
    },
    async 'POST /control/redo'({ body: { id } }) {
      const edit = await world.replaceInTurn(async () => {
        const [next] = undo.redoable();
        if (next && id !== undefined && next.id !== id)
          return conflict(`${id} cannot be done again now. What can be next is ${next.id}: ${next.says}`);
        return undo.redo();
      });
      if (!edit) return conflict('There is nothing to redo: nothing was undone, or something else changed since then.');
      return {
        id: edit.id,
        code: edit.code,
        redone: edit.says,
        at: edit.at,
        takesBack: edit.takesBack,
        later: edit.later,
      };
    },
  };
}

async function explained<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) return badRequest(error.message);
    throw error;
  }
}

function toView({ mode, records, renewedSecrets, heldBack }: Restored): RestoredView {
  return {
    mode,
    records,
    renewedSecrets: renewedSecrets.map(({ collection, id }) => ({ kind: toKind(collection), id })),
    heldBack,
  };
}

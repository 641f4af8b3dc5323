import type { Restored } from '../world/snapshots.ts';
import { inBody, inPath, noSuch, refuse } from '../rules.ts';
import { UserError } from '../errors.ts';
import { saveWorld } from '../declared-world/save.ts';
import { worldRules } from '../world/rules.ts';
import { toKind } from '../records/kind.ts';
import { undoRules } from './rules/time-rules.ts';
import type { RestoredView, snapshotCalls } from './contract/snapshots.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Snapshots, exports and imports, the reset, and the undo of what took something away. */
export function createSnapshotHandlers({
  store,
  clock,
  time,
  faults,
  features: { catalog },
  reset,
  snapshots,
  undo,
  world,
  feed,
}: HandlerDeps): Handlers<typeof snapshotCalls> {
  const tell = (name: string): void =>
    feed.publish({ type: 'records', changes: [{ collection: 'snapshots', id: name }] });
  const missing = (name: string): never => noSuch('snapshot', name, inPath('name'));

  return {
    'GET /control/snapshots': async () => ({ snapshots: await snapshots.list() }),
    async 'POST /control/snapshots'({ body: { name, overwrite } }) {
      const saved = await snapshots.save(name, { overwrite });
      tell(name);
      return saved;
    },
    'POST /control/snapshots/{name}/restore': async ({ params: { name }, body: { mode = 'replace' } }) =>
      toView(await snapshots.restore(name, mode)),
    'DELETE /control/snapshots/{name}'({ params: { name } }) {
      if (!snapshots.remove(name)) return missing(name);
      tell(name);
      return null;
    },
    'GET /control/snapshots/{name}/export': async ({ params: { name }, query: { secrets } }) => ({
      ...(await snapshots.export({ name, secrets: secrets === 'true' })),
    }),
    'GET /control/export': async ({ query: { secrets } }) => ({
      ...(await snapshots.export({ secrets: secrets === 'true' })),
    }),
    'POST /control/import': async ({ body, query: { mode = 'replace' } }) => toView(await snapshots.import(body, mode)),
    'GET /control/world': () => saveWorld({ store, clock, pace: time.pace(), faults: faults.all(), catalog }),
    async 'POST /control/reset'({ body }) {
      await reset(body.world).catch(refuseDeclared);
      return null;
    },
    async 'POST /control/save'() {
      await store.snapshot();
      return null;
    },
    'GET /control/undo': () => ({ undo: undo.list(), redo: undo.redoable() }),
    async 'POST /control/undo'({ body: { id, andNewer = false } }) {
      const edit = await world.replaceInTurn(async () => {
        const [newest] = undo.list();
        if (id === undefined) return undo.undo();
        if (newest && newest.id !== id && !andNewer && undo.list().some((one) => one.id === id))
          return refuse(undoRules.newer, inBody(''), id, { newest: newest.says, newestId: newest.id });
        return undo.undoBackTo(id);
      });
      if (!edit && id !== undefined) return refuse(undoRules.gone, inBody('/id'), id, { id });
      if (!edit) return refuse(undoRules.nothing, inBody(''), undefined, undefined);
      const { says: undone, ...rest } = edit;
      return { ...rest, undone };
    },
    async 'POST /control/redo'({ body: { id } }) {
      const edit = await world.replaceInTurn(async () => {
        const [next] = undo.redoable();
        if (next && id !== undefined && next.id !== id)
          return refuse(undoRules.redoOrder, inBody('/id'), id, { id, next: next.says, nextId: next.id });
        return undo.redo();
      });
      if (!edit) return refuse(undoRules.nothingToRedo, inBody(''), undefined, undefined);
      const { says: redone, ...rest } = edit;
      return { ...rest, redone };
    },
  };
}

function toView({ mode, records, renewedSecrets, heldBack }: Restored): RestoredView {
  return {
    mode,
    records,
    renewedSecrets: renewedSecrets.map(({ collection, id }) => ({ kind: toKind(collection), id })),
    heldBack,
  };
}

/** What is wrong with the file is refused at the request that asked for it. */
function refuseDeclared(error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  const problems = 'problems' in error ? (error.problems as readonly object[]) : [];
  return refuse(worldRules.declared, inBody('/world'), 'start', { says: error.message, problems });
}

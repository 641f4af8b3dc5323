import type { Restored } from '../world/snapshots.ts';
import { inBody, inPath, noSuch, refuse } from '../rules.ts';
import { UserError } from '../errors.ts';
import { saveWorld } from '../declared-world/save.ts';
import type { Undoable } from '../world/edits.ts';
import { worldRules } from '../world/rules.ts';
import { definitions } from '../records/definitions.ts';
import { toKind } from '../records/kind.ts';
import type { CollectionName } from '../records.ts';
import type { Store } from '../store/store.ts';
import { undoRules } from './rules/time-rules.ts';
import type { RestoredView, snapshotCalls } from './contract/snapshots.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers for snapshots, exports, imports, the reset, undo and redo. */
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
    feed.publish({ type: 'changes', changes: [{ collection: 'snapshots', id: name }] });
  const missing = (name: string): never => noSuch('snapshot', name, inPath('name'));

  return {
    'GET /control/snapshots': async () => ({ snapshots: await snapshots.list() }),
    async 'POST /control/snapshots'({ body: { name, overwrite } }) {
      const saved = await snapshots.save(name, { overwrite });
      tell(name);
      return saved;
    },
    'POST /control/snapshots/{name}/restore': async ({ params: { name }, body: { mode = 'replace' } }) =>
      toView(await snapshots.restore(name, mode), store),
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
    'POST /control/import': async ({ body, query: { mode = 'replace' } }) =>
      toView(await snapshots.import(body, mode), store),
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
      const find = (): Undoable => toUndo(undo.list(), id, andNewer);
      const { says: undone, ...rest } = await world.replaceInTurn(() => undo.undoBackTo(find().id), find);
      return { ...rest, undone };
    },
    async 'POST /control/redo'({ body: { id } }) {
      const check = (): void => {
        const [next] = undo.redoable();
        if (!next) return refuse(undoRules.nothingToRedo, inBody(''), undefined, undefined);
        if (id !== undefined && next.id !== id)
          return refuse(undoRules.redoOrder, inBody('/id'), id, { id, next: next.says, nextId: next.id });
      };
      const edit = await world.replaceInTurn(async () => {
        check();
        return undo.redo();
      }, check);
      if (!edit) return refuse(undoRules.nothingToRedo, inBody(''), undefined, undefined);
      const { says: redone, ...rest } = edit;
      return { ...rest, redone };
    },
  };
}

/**
 * The edit that a request undoes; refused if it cannot be undone.
 * @param edits newest first
 */
function toUndo(edits: readonly Undoable[], id: string | undefined, andNewer: boolean): Undoable {
  const [newest] = edits;
  if (id === undefined) return newest ?? refuse(undoRules.nothing, inBody(''), undefined, undefined);
  const wanted = edits.find((one) => one.id === id);
  if (!newest || !wanted) return refuse(undoRules.gone, inBody('/id'), id, { id });
  if (wanted === newest || andNewer) return wanted;
  return refuse(undoRules.newer, inBody(''), id, { newest: newest.says, newestId: newest.id });
}

function toView({ mode, records, renewedSecrets, heldBack, replaced }: Restored, store: Store): RestoredView {
  return {
    mode,
    records,
    renewedSecrets: renewedSecrets.map(({ collection, id }) => ({
      kind: toKind(collection),
      id,
      name: sayOwner(collection, id, store),
    })),
    heldBack,
    replaced: replaced.map(({ collection, id, was }) => ({ kind: toKind(collection), id, was })),
  };
}

/** What a secret belongs to: `App Shop`, `credential of the app Shop`, `setting upload-link-secret`. */
function sayOwner(collection: CollectionName, id: string, store: Store): string {
  const { found, words } = definitions[collection];
  const record = store.collection(collection).get(id);
  if (record && found) return found(record as never, { ofPerson: () => [] }).title;
  const app = record && 'appId' in record ? store.apps.get(String(record.appId)) : undefined;
  return app ? `${words[0]} of the app ${app.name}` : `${words[0]} ${id}`;
}

/** Refuses a request for a world file that has errors. */
function refuseDeclared(error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  const problems = 'problems' in error ? (error.problems as readonly object[]) : [];
  return refuse(worldRules.declared, inBody('/world'), 'start', { says: error.message, problems });
}

import { UserError } from '../errors.ts';
import type { Feed } from '../feed.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { restoreModes, type Restored, type Snapshots } from '../world/snapshots.ts';
import { snapshotBytes } from '../store/snapshot-files.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import { badRequest, conflict, notFound } from './problems.ts';
import type { RestoredView } from './protocol.ts';
import { toKind } from './views.ts';

export interface SnapshotRouteDeps {
  readonly snapshots: Snapshots;
  readonly undo: Undo;
  readonly world: World;
  /** Tells watchers that a snapshot was kept or deleted, as of a record of the kind `snapshots`. */
  readonly feed: Pick<Feed, 'publish'>;
}

const anything = { type: 'object' } as const;
const byName = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } as const;
const mode = { type: 'string', enum: restoreModes } as const;
const secrets = {
  type: 'string',
  enum: ['true', 'false'],
  description: 'Whether secrets stand in it; they are masked unless this is true.',
} as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** Snapshots, exports and imports, and the undo of what took something away. */
export function createSnapshotRoutes({ snapshots, undo, world, feed }: SnapshotRouteDeps): readonly Endpoint[] {
  const tell = (name: string): void =>
    feed.publish({ type: 'records', changes: [{ collection: 'snapshots', id: name }] });

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/snapshots',
      summary: 'The snapshots that are kept, by name',
      replies: { 200: anything },
      asynchronous: true,
      handle: async () => ({ status: 200, body: { snapshots: await snapshots.list() } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/snapshots',
      summary: 'Keep the whole state under a name',
      body: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string', examples: ['before-checkout'] }, overwrite: { type: 'boolean' } },
      },
      replies: { 201: anything },
      asynchronous: true,
      async handle({ body: { name, overwrite } }) {
        const saved = await explained(() => snapshots.save(name, { overwrite }));
        tell(name);
        return { status: 201, body: { ...saved } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/snapshots/{name}/restore',
      summary: 'Bring a snapshot back, in place of the present state or merged into it',
      params: byName,
      body: { type: 'object', additionalProperties: false, properties: { mode } },
      bodyRequired: false,
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { name }, body }) {
        const known = (await snapshots.list()).some((one) => one.name === name);
        if (!known) return notFound(`There is no snapshot "${name}". GET /control/snapshots lists them.`);
        return { status: 200, body: toView(await explained(() => snapshots.restore(name, body.mode ?? 'replace'))) };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/snapshots/{name}',
      summary: 'Delete a snapshot; this cannot be undone',
      params: byName,
      replies: { 204: null },
      asynchronous: true,
      async handle({ params: { name } }) {
        const removed = await explained(() => Promise.resolve().then(() => snapshots.remove(name)));
        if (!removed) return notFound(`There is no snapshot "${name}". GET /control/snapshots lists them.`);
        tell(name);
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/snapshots/{name}/export',
      summary: 'A kept snapshot as one file that POST /control/import takes',
      params: byName,
      query: { type: 'object', properties: { secrets } },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { name }, query }) {
        return {
          status: 200,
          body: { ...(await explained(() => snapshots.export({ name, secrets: query.secrets === 'true' }))) },
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/export',
      summary: 'The present state as one file that POST /control/import takes',
      query: { type: 'object', properties: { secrets } },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ query }) {
        return {
          status: 200,
          body: { ...(await explained(() => snapshots.export({ secrets: query.secrets === 'true' }))) },
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/import',
      summary: 'Take an exported state, in place of the present one or merged into it',
      query: { type: 'object', properties: { mode } },
      body: anything,
      bodyLimit: snapshotBytes,
      replies: { 200: anything },
      asynchronous: true,
      async handle({ body, query }) {
        return { status: 200, body: toView(await explained(() => snapshots.import(body, query.mode ?? 'replace'))) };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/undo',
      summary: 'What can be undone, newest first, and what can be done again, the next one first',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { acts: undo.list(), redo: undo.redoable() } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/undo',
      summary: 'Undo the last act that took something away, or the one of an id if nothing came after it',
      body: {
        type: 'object',
        additionalProperties: false,
        properties: {
          id: { type: 'string', description: 'Of the act, as its reply names it in x-sandbox-undo.' },
          andNewer: { type: 'boolean', description: 'Undo what came after it too, newest first.' },
        },
      },
      bodyRequired: false,
      replies: { 200: anything },
      asynchronous: true,
      async handle({ body: { id, andNewer = false } }) {
        const act = await world.inTurn(async () => {
          const [newest] = undo.list();
          if (id === undefined) return undo.undo();
          if (newest && newest.id !== id && !andNewer && undo.list().some((one) => one.id === id))
            return conflict(`Something else was done since: ${newest.says} Undo that first, or send "andNewer": true.`);
          return undo.undoBackTo(id);
        });
        if (!act && id !== undefined)
          return conflict(`${id} cannot be undone any more. GET /control/undo lists what can.`);
        if (!act) return conflict('There is nothing to undo since Sandpiper started.');
        return {
          status: 200,
          body: { id: act.id, code: act.code, undone: act.says, at: act.at, takesBack: act.takesBack },
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/redo',
      summary: 'Do again what was undone last; possible until something else changes',
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { type: 'string', description: 'Of the act; refused where another one is next.' } },
      },
      bodyRequired: false,
      replies: { 200: anything },
      asynchronous: true,
      async handle({ body: { id } }) {
        const act = await world.inTurn(async () => {
          const [next] = undo.redoable();
          if (next && id !== undefined && next.id !== id)
            return conflict(`${id} cannot be done again now. What can be next is ${next.id}: ${next.says}`);
          return undo.redo();
        });
        if (!act)
          return conflict('There is nothing to redo: nothing was undone, or something else changed since then.');
        return {
          status: 200,
          body: { id: act.id, code: act.code, redone: act.says, at: act.at, takesBack: act.takesBack },
        };
      },
    }),
  ];
}

async function explained<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) return badRequest(error.message);
    throw error;
  }
}

function toView({ mode: restored, records, renewedSecrets, heldBack }: Restored): { [key: string]: unknown } {
  const view: RestoredView = {
    mode: restored,
    records,
    renewedSecrets: renewedSecrets.map(({ collection, id }) => ({ kind: toKind(collection), id })),
    heldBack,
  };
  return { ...view };
}

import {
  boolean,
  described,
  free,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  type View,
} from '../../contract/shape.ts';
import { snapshotBytes } from '../../store/snapshot-bytes.ts';
import { redoable, undoable } from '../../world/edits.ts';
import { freshWorld, heldBack, restoreMode, snapshotLine } from '../../world/shapes.ts';
import type { CallTable } from '../call.ts';

export type { Redoable as RedoableView, Undoable as UndoableView } from '../../world/edits.ts';

export type SnapshotView = View<typeof snapshotLine>;

/** The answer to a restore or an import. */
const restored = object({
  mode: restoreMode,
  records: integer,
  renewedSecrets: described(
    'The records that got new secrets, because theirs were masked in the file.',
    list(object({ kind: text, id: text, name: described('What the secret belongs to, for people.', text) })),
  ),
  heldBack: described(
    'For an imported file: the deliveries that were paused, and the webhooks that now reach only this machine.',
    heldBack,
  ),
  replaced: described(
    'For a merge: the records that were replaced by something else that has their id in the file. Undo brings them back.',
    list(object({ kind: text, id: text, was: described('The name of the replaced record, for people.', text) })),
  ),
});
export type RestoredView = View<typeof restored>;

const { says, ...edit } = undoable.properties;
/** The edit that was undone. */
const undone = object({
  ...edit,
  undone: says,
  note: described(
    'Sentences for people about the further effects of the undo, and about later changes that it left as they are; null if there are none.',
    nullable(text),
  ),
});
export type UndoneView = View<typeof undone>;
/** The edit that was done again. */
const redone = object({ ...edit, redone: says, later: redoable.properties.later });
export type RedoneView = View<typeof redone>;

const undoables = object({
  undo: described('The edits that can be undone, newest first.', list(undoable)),
  redo: described(
    'The undone edits that can be done again, the next one first; empty once something else changed.',
    list(redoable),
  ),
});

const secrets = described('Whether the file has secrets; they are masked unless this is true.', oneOf('true', 'false'));
const exported = free('A snapshot is a file format of its own, which POST /control/import takes.');

export const snapshotCalls = {
  'GET /control/snapshots': {
    summary: 'The snapshots that are kept, by name',
    asOf: 'now',
    reply: object({ snapshots: list(snapshotLine) }),
  },
  'POST /control/snapshots': {
    summary: 'Keep the whole state under a name',
    changes: true,
    body: object({ name: { type: 'string', examples: ['before-checkout'] } }, { overwrite: boolean }),
    status: 201,
    reply: snapshotLine,
  },
  'POST /control/snapshots/{name}/restore': {
    summary: 'Restore a snapshot, instead of the current state or merged into it',
    changes: true,
    body: object({}, { mode: restoreMode }),
    bodyRequired: false,
    reply: restored,
  },
  'DELETE /control/snapshots/{name}': {
    summary: 'Delete a snapshot; this cannot be undone',
    changes: true,
    reply: null,
  },
  'GET /control/snapshots/{name}/export': {
    summary: 'A kept snapshot as one file that POST /control/import takes',
    asOf: 'now',
    query: object({}, { secrets }),
    reply: exported,
  },
  'GET /control/export': {
    summary: 'The current state as one file that POST /control/import takes',
    asOf: 'now',
    query: object({}, { secrets }),
    reply: exported,
  },
  'POST /control/import': {
    summary: 'Import an exported state, instead of the current one or merged into it',
    changes: true,
    query: object({}, { mode: restoreMode }),
    body: free('Checked by the format of snapshots, with sentences of its own.'),
    bodyLimit: snapshotBytes,
    reply: restored,
  },
  'GET /control/world': {
    summary: 'The present state as a declared world, with its keys, as far as a world can declare it',
    asOf: 'now',
    reply: object({
      world: free('A world file has a schema of its own: schema/world.schema.json.'),
      leftOut: described('The stored things that a world cannot declare, each in a few words.', list(text)),
    }),
  },
  'POST /control/reset': {
    summary:
      'Reset to an empty store, to the demo world, or to the world of the start: the declared one, read again, else the demo world',
    changes: true,
    body: object({ world: freshWorld }),
    reply: null,
  },
  'POST /control/save': {
    summary:
      'Write the state file now, as happens automatically from time to time; the journal has every change anyway',
    changes: true,
    reply: null,
  },
  'GET /control/undo': {
    summary: 'The edits that can be undone, newest first, and those that can be done again, the next one first',
    asOf: 'now',
    reply: undoables,
  },
  'POST /control/undo': {
    summary: 'Undo the last edit, or the edit with `id` if no other came after it',
    changes: true,
    body: object(
      {},
      {
        id: described('The id of the edit, as the reply to it has it in x-sandbox-undo.', text),
        andNewer: described('Whether to undo the edits after it too, newest first.', boolean),
      },
    ),
    bodyRequired: false,
    reply: undone,
  },
  'POST /control/redo': {
    summary: 'Redo the edit that was undone last; possible until something else changes',
    changes: true,
    body: object({}, { id: described('The id of the edit; refused if another one is next.', text) }),
    bodyRequired: false,
    reply: redone,
  },
} as const satisfies CallTable;

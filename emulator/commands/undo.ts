import type { UndoRef } from '../control/call.ts';
import type { UndoneView } from '../control/calls.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import { UsageError } from './usage.ts';

export interface UndoOptions extends ConnectOptions {
  readonly list?: boolean;
  /** Also what came after the change with that id. */
  readonly andNewer?: boolean;
}

/** `sandpiper undo [id]`: takes a change made by hand back, the newest one if none is named, and says what that was. */
export async function undo(id: string | undefined, { list, andNewer, ...options }: UndoOptions): Promise<void> {
  if (list && id !== undefined) throw new UsageError('--list shows all changes, so it takes no id.');
  const client = connect(options);
  if (list) {
    const { undo: changes } = await client.call('GET /control/undo');
    const lines = changes.map(
      ({ id: of, at, says, takesBack }) =>
        `${of}  ${toSeconds(at)}  ${says}${takesBack === 'everything' ? ' Undoing it also undoes everything since.' : ''}`,
    );
    return print(options, changes, lines.join('\n') || 'There is nothing to undo.');
  }
  if (andNewer && id === undefined)
    throw new UsageError('--and-newer needs the id of a change: "sandpiper undo --list" shows them.');
  const changes = andNewer ? (await client.call('GET /control/undo')).undo : [];
  const newer = changes.slice(
    0,
    changes.findIndex((one) => one.id === id),
  );
  const body = id === undefined ? {} : { id, andNewer: andNewer ?? false };
  const answer = await client.call('POST /control/undo', { body });
  print(
    options,
    answer,
    [
      `Undone: ${answer.undone}${answer.takesBack === 'everything' ? ' Everything since was undone with it.' : ''}${sayNote(answer)}`,
      ...(newer.length === 0 ? [] : ['Before that, the newest first:', ...newer.map(({ says }) => `  ${says}`)]),
    ].join('\n'),
  );
}

/** What an undo did beside what it is named after, as sentences after another one; empty if nothing. */
export function sayNote({ note }: UndoneView): string {
  return note === null ? '' : ` ${note}`;
}

/** `sandpiper redo`: does again what was undone last, and says what that was. */
export async function redo(options: ConnectOptions): Promise<void> {
  const answer = await connect(options).call('POST /control/redo');
  const after = answer.later === 0 ? '' : ` With it, the ${answer.later} after it.`;
  print(options, answer, `Done again: ${answer.redone}${after}`);
}

/** `sandpiper reset`: back to the world of the start, to the demo world, or to nothing. */
export async function reset({
  empty,
  demo,
  ...options
}: ConnectOptions & { readonly empty?: boolean; readonly demo?: boolean }): Promise<void> {
  const world = empty ? 'empty' : demo ? 'demo' : 'start';
  const client = connect(options);
  const { undo: done } = await client.answer('POST /control/reset', { body: { world } });
  // Only the server knows what the world of the start is.
  const says = (await client.call('GET /control/undo')).undo.find(({ id }) => id === done?.id)?.says;
  print(options, { world, undo: done?.id }, `${says ?? 'Everything was reset.'}${sayUndo(done)}`);
}

/** The command that takes a change back, as a sentence after another one; empty if nothing can be. */
export function sayUndo(done: UndoRef | undefined): string {
  return done ? ` "sandpiper undo ${done.id}" reverts that.` : '';
}

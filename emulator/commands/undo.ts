import type { UndoRef } from '../control/call.ts';
import type { UndoneView } from '../control/calls.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import { UsageError } from './usage.ts';

export interface UndoOptions extends ConnectOptions {
  readonly list?: boolean;
  /** Whether to undo the changes after the one with that id, too. */
  readonly andNewer?: boolean;
}

/** `sandpiper undo [id]`: takes back a change made by hand, the newest one if none is named, and says what it was. */
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
  const answer = await client.call('POST /control/undo', { body: { id, andNewer } });
  print(
    options,
    answer,
    [
      `Undone: ${answer.undone}${sayNote(answer)}`,
      ...(newer.length === 0 ? [] : ['Before that, the newest first:', ...newer.map(({ says }) => `  ${says}`)]),
    ].join('\n'),
  );
}

/** The additional effects of an undo, as sentences after another one; empty if there are none. */
export function sayNote({ note }: UndoneView): string {
  return note === null ? '' : ` ${note}`;
}

/** `sandpiper redo`: repeats the change that was undone last, and says what it was. */
export async function redo(options: ConnectOptions): Promise<void> {
  const answer = await connect(options).call('POST /control/redo');
  const after = answer.later === 0 ? '' : ` With it, the ${answer.later} after it.`;
  print(options, answer, `Done again: ${answer.redone}${after}`);
}

/** `sandpiper reset`: goes back to the world of the start, to the demo world, or to nothing. */
export async function reset({
  empty,
  demo,
  ...options
}: ConnectOptions & { readonly empty?: boolean; readonly demo?: boolean }): Promise<void> {
  const world = empty ? 'empty' : demo ? 'demo' : 'start';
  const client = connect(options);
  const { undo: done } = await client.answer('POST /control/reset', { body: { world } });
  // Only the server knows the world of the start.
  const says = (await client.call('GET /control/undo')).undo.find(({ id }) => id === done?.id)?.says;
  print(options, { world, undo: done?.id }, `${says ?? 'Everything was reset.'}${sayUndo(done)}`);
}

/** Names the command that takes a change back, as a sentence after another one; empty if it cannot be undone. */
export function sayUndo(done: UndoRef | undefined): string {
  return done ? ` "sandpiper undo ${done.id}" reverts that.` : '';
}

import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { RedoableView, UndoableView } from '../../emulator/control/calls.ts';
import { toFailure, toUndone } from './reported.ts';
import { call, isLastFinal } from './backend/control.ts';
import { counted, toReadable } from '../format.ts';
import { useConnection } from './connection.ts';
import { useToasts } from '../kit/toasts.ts';
import { createReadSoon } from './read-soon.ts';
import { createTurns } from './turns.ts';
import { useZone } from './zone.ts';

/** What the server remembers how to undo, newest first. */
export const useUndo = defineStore('undo', () => {
  const connection = useConnection();
  const toasts = useToasts();
  const zone = useZone();
  const edits = shallowRef<readonly UndoableView[]>([]);
  /** What was undone and can be done again, the next one first. */
  const redoable = shallowRef<readonly RedoableView[]>([]);

  const turns = createTurns();
  async function read(): Promise<void> {
    const isNewest = turns.take();
    const answer = await call('GET /control/undo');
    if (!isNewest()) return;
    edits.value = answer.undo;
    redoable.value = answer.redo;
  }
  // The banner reports a lost server; the list stays.
  const readNow = (): Promise<void> => read().catch(() => {});
  const readSoon = createReadSoon(readNow, 500);
  connection.watch(({ type }) => void (type === 'requests' || type === 'progress' || readSoon()));
  watch(
    () => connection.phase,
    // Until then the stream is not open, and nothing tells what changes.
    (phase) => void (phase === 'live' && readSoon()),
    { immediate: true },
  );

  /**
   * Undoes an edit: the newest one, or the one with the id.
   * @param andNewer also what came after it; else it is refused if anything did
   */
  async function undo(id = edits.value[0]?.id, andNewer = false): Promise<void> {
    const report = toasts.begin();
    const later = andNewer ? edits.value.findIndex((one) => one.id === id) : 0;
    try {
      const body = id === undefined ? {} : { id, andNewer };
      const answer = await call('POST /control/undo', { body });
      // Before it is said: what is undone can be done again at once.
      await readNow();
      report.say(toUndone(answer, later));
    } catch (error) {
      report.refuse(toFailure('Not undone:', error));
      await readNow();
    }
  }

  /**
   * Undoes what was done last, also if the list does not show it yet. Where that has no undo, it says what would be
   * taken back instead, and does that if it is asked for while this is said.
   */
  async function undoLast(): Promise<void> {
    // If it cannot be read, it cannot be undone either, which is said then.
    const isRead = await read().then(
      () => true,
      () => false,
    );
    const [newest] = edits.value;
    if (isRead && !newest) return toasts.refuse('There is nothing to undo since Sandpiper started.');
    if (!isLastFinal.value || !newest) return undo();
    const says = toReadable(newest.says, zone.zone);
    toasts.say(
      `What was done last cannot be undone. The last change that can be undone: ${says}`,
      () => undo(newest.id),
      { refused: true },
    );
  }

  /**
   * Does again what was undone last.
   * @param id of that, where it was shown before: anything else is not done
   */
  async function redo(id?: string): Promise<void> {
    const report = toasts.begin();
    try {
      await read();
      if (redoable.value.length === 0)
        return report.refuse('There is nothing to redo: nothing was undone, or something else changed since then.');
      const { redone, later } = await call('POST /control/redo', { body: id === undefined ? {} : { id } });
      await readNow();
      const says = toReadable(redone, zone.zone);
      report.say(later === 0 ? `Redone: ${says}` : `Redone: ${says} Also redone: ${counted(later, 'later change')}.`);
    } catch (error) {
      report.refuse(toFailure('Not redone:', error));
      await readNow();
    }
  }

  return { edits, redoable, read: readNow, undo, undoLast, redo };
});

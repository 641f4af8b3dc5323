import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { RedoableView, UndoableView } from '../../emulator/control/calls.ts';
import { toFailure, toUndone } from './reported.ts';
import { call, isLastFinal } from './backend/control.ts';
import { counted, toReadable } from '../format.ts';
import { useConnection } from './connection.ts';
import { useToasts } from '../kit/toasts.ts';
import { createPaced } from './paced.ts';
import { createTurns } from './turns.ts';
import { useZone } from './zone.ts';

/** The changes that the server can undo, newest first. */
export const useUndo = defineStore('undo', () => {
  const connection = useConnection();
  const toasts = useToasts();
  const zone = useZone();
  const edits = shallowRef<readonly UndoableView[]>([]);
  /** The undone changes that can be redone, the next one first. */
  const redoable = shallowRef<readonly RedoableView[]>([]);

  const turns = createTurns();
  /** Returns the answer even if a later read was answered before, which is shown then. */
  async function read() {
    const isNewest = turns.take();
    const answer = await call('GET /control/undo');
    if (isNewest()) [edits.value, redoable.value] = [answer.undo, answer.redo];
    return answer;
  }
  // The banner reports a lost server; the list stays.
  const readNow = () => read().catch(() => null);
  const { soon: readSoon } = createPaced(readNow, 500);
  connection.watch(({ type }) => void (type === 'requests' || type === 'progress' || readSoon()));
  watch(
    () => connection.phase,
    // Until then the stream is not open, so no message reports changes.
    (phase) => void (phase === 'live' && readSoon()),
    { immediate: true },
  );

  /**
   * Undoes an edit: the newest one, or the one with the id.
   * @param andNewer also undoes later edits; otherwise an edit with later ones is refused
   */
  async function undo(id = edits.value[0]?.id, andNewer = false): Promise<void> {
    const report = toasts.begin();
    const later = andNewer ? edits.value.findIndex((one) => one.id === id) : 0;
    try {
      const answer = await call('POST /control/undo', { body: { id, andNewer } });
      // Read before reporting, so that the change can be redone at once.
      await readNow();
      report.say(toUndone(answer, later));
    } catch (error) {
      report.refuse(toFailure('Not undone:', error));
      await readNow();
    }
  }

  /**
   * Undoes the last action, even if the list does not show it yet. If that action has no undo, a toast names the change
   * that would be undone instead, with a button that does so.
   */
  async function undoLast(): Promise<void> {
    // If the list cannot be read, the undo fails too and reports it.
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
   * Redoes the change that was undone last.
   * @param id the id of the change, if it was shown before: no other change is redone
   */
  async function redo(id?: string): Promise<void> {
    const report = toasts.begin();
    try {
      await read();
      if (redoable.value.length === 0)
        return report.refuse('There is nothing to redo: nothing was undone, or something else changed since then.');
      const { redone, later } = await call('POST /control/redo', { body: { id } });
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

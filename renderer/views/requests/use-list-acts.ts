import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { counted } from '../../format.ts';
import { saveAsFile } from '../../kit/files.ts';
import { noRoom, type Named } from '../../kit/named.ts';
import { useToasts } from '../../kit/toasts.ts';
import { fetchHar } from '../../live/backend/har.ts';
import { toFailure, toProblem, useServerUndo } from '../../live/reported.ts';
import { useRequests } from '../../live/requests.ts';
import type { SavedView } from './saved-views.ts';
import type { Marked } from './use-marked.ts';
import type { Place } from './use-place.ts';

export interface ListActs {
  /** Clears the whole record. */
  clear(): Promise<void>;
  /** Saves requests as a file; by default the shown ones. */
  archive(reveal?: boolean, rows?: readonly RequestSummary[]): Promise<void>;
  compareMarked(): void;
  deleteMarked(): Promise<void>;
  /** Whether the sheet that asks for a name for the filter is open. */
  readonly naming: ShallowRef<boolean>;
  /** Why the filter was not saved under its name. */
  readonly notNamed: ShallowRef<string | null>;
  saveView(view: SavedView): void;
  forgetView(view: SavedView): void;
}

/** Actions on many requests at once. Each reports what it did, with an undo. */
export function useListActs(
  shown: Ref<readonly RequestSummary[]>,
  { id: selected, go }: Place,
  marked: Marked,
  saved: Named<SavedView>,
): ListActs {
  const requests = useRequests();
  const toasts = useToasts();
  const naming = shallowRef(false);
  const notNamed = shallowRef<string | null>(null);
  watch(naming, () => (notNamed.value = null));

  return {
    async clear() {
      const count = requests.total;
      if (count === 0) return;
      const report = toasts.begin();
      try {
        const server = useServerUndo();
        await server.call('DELETE /control/requests');
        go({ id: null });
        report.say(`${counted(count, 'request')} cleared`, server.undo);
      } catch (error) {
        report.refuse(toFailure('Not cleared.', error));
      }
    },
    async archive(reveal = false, rows = shown.value) {
      const report = toasts.begin();
      try {
        const har = await fetchHar(
          rows.map(({ id }) => id),
          reveal,
        );
        saveAsFile(`sandpiper-requests-${new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}.har`, har);
        report.say(
          `Exported ${counted(har.log.entries.length, 'request')} as HAR; secrets ${reveal ? 'are in it' : 'are masked'}`,
        );
      } catch (error) {
        report.refuse(`Not exported. ${toProblem(error)}`);
      }
    },
    compareMarked() {
      const [one, other] = marked.rows.value;
      if (one && other) go({ id: other.id, withId: one.id });
    },
    async deleteMarked() {
      const ids = [...marked.ids.value];
      const report = toasts.begin();
      try {
        const server = useServerUndo();
        const { deleted } = await server.call('POST /control/requests/delete', { body: { ids } });
        if (selected.value !== null && ids.includes(selected.value)) go({ id: null });
        marked.clear();
        report.say(`${counted(deleted, 'request')} deleted`, server.undo);
      } catch (error) {
        report.refuse(toFailure('Not deleted.', error));
      }
    },
    naming,
    notNamed,
    saveView(view) {
      const undo = saved.save(view);
      notNamed.value = undo === null ? noRoom : null;
      if (undo === null) return;
      naming.value = false;
      toasts.say(`Saved as “${view.name}”`, undo);
    },
    forgetView(view) {
      toasts.say(`The view “${view.name}” was deleted`, saved.forget(view.name));
    },
  };
}

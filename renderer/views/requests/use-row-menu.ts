import { Columns2, Download, Pin, RotateCcw, Trash2 } from 'lucide-vue-next';
import { computed, type ComputedRef } from 'vue';
import { offeredActions } from '../../commands/actions.ts';
import { toCount } from '../../format.ts';
import type { MenuLine } from '../../kit/menu.ts';

export interface MarkedActs {
  /** Whether a request is chosen. */
  readonly chosen: boolean;
  /** The number of rows selected at once. */
  readonly count: number;
  replay(): unknown;
  compare(): unknown;
  archive(): unknown;
  pin(): unknown;
  remove(): unknown;
}

/** The context menu of a row: the palette's actions for the chosen request, or the actions for several. */
export function useRowMenu(acts: () => MarkedActs): ComputedRef<readonly MenuLine[]> {
  return computed(() => {
    const marked = acts();
    return marked.count > 1 ? ofMarked(marked) : ofChosen(marked);
  });
}

function ofChosen({ chosen }: MarkedActs): readonly MenuLine[] {
  const offered = offeredActions.value.filter(({ name }) => name.startsWith('request.'));
  const label = chosen ? 'This request is no longer recorded' : 'No request is selected';
  if (offered.length === 0) return [{ label, why: 'Select one in the list.', act() {} }];
  return offered.map(({ title, icon, keys, why = null, act }) => ({
    label: title,
    icon,
    keys,
    why,
    act,
  }));
}

function ofMarked({ count, replay, compare, archive, pin, remove }: MarkedActs): readonly MenuLine[] {
  const several = `${toCount(count)} requests`;
  return [
    { label: `Replay ${several}`, icon: RotateCcw, act: replay },
    { label: 'Compare the two', icon: Columns2, why: count === 2 ? null : 'Select two requests.', act: compare },
    { label: `Export ${several} as HAR`, icon: Download, act: archive },
    { label: `Pin ${several}`, icon: Pin, act: pin },
    { label: `Delete ${several}`, icon: Trash2, danger: true, act: remove },
  ];
}

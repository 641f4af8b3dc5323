import { computed, type ComputedRef } from 'vue';
import { isListOf, isMapOf, isNumber, isOneOf, isOrNull, isText, isWith, useKept } from '../../browser-storage.ts';
import { leastWidth, mostWidth, opposite, type Column, type Sort } from './column.ts';

/** The changes that the person made to the columns, as the page's storage keeps them. */
interface Kept {
  /** The shown columns; null while nothing was chosen. */
  readonly shown: readonly string[] | null;
  /** In pixels, by the name of the column. */
  readonly widths: { readonly [name: string]: number };
  readonly sort: Sort | null;
}

const untouched: Kept = { shown: null, widths: {}, sort: null };
const isKept = isWith<Kept>({
  shown: isOrNull(isListOf(isText)),
  widths: isMapOf(isNumber),
  sort: isOrNull(isWith<Sort>({ by: isText, direction: isOneOf(['ascending', 'descending']) })),
});

/** The columns of a list: which are shown, their widths, and the column by which the rows are sorted. */
export interface Columns<Name extends string = string> {
  readonly all: readonly Column<Name>[];
  readonly shown: ComputedRef<readonly Column<Name>[]>;
  readonly names: ComputedRef<ReadonlySet<Name>>;
  /** The widths of resized columns, in pixels. */
  readonly widths: ComputedRef<{ readonly [name in Name]?: number }>;
  /** Null for the order of arrival, newest first. */
  readonly sort: ComputedRef<Sort<Name> | null>;
  /** The sort that the head shows, also for the order of arrival. */
  readonly sortShown: ComputedRef<Sort<Name>>;
  readonly isChanged: ComputedRef<boolean>;
  toggle(name: Name): void;
  /** Null restores the initial width. */
  resize(name: Name, width: number | null): void;
  /** Goes to the next of a column's three sorts: its first direction, the other one, the order of arrival. */
  sortBy(name: Name): void;
  reset(): void;
}

/**
 * The columns of a list, kept in this browser.
 * @param key the name under which they are kept
 * @param natural the sort of the rows in their order of arrival
 */
export function useColumns<Name extends string>(
  key: string,
  all: readonly Column<Name>[],
  natural: Sort<Name>,
): Columns<Name> {
  const kept = useKept<Kept>(key, untouched, isKept);
  const change = (part: Partial<Kept>): void => void (kept.value = { ...kept.value, ...part });

  const shown = computed(() => {
    const chosen = kept.value.shown;
    return all.filter(({ name, isExtra, isFixed }) => isFixed || (chosen ? chosen.includes(name) : !isExtra));
  });
  const names = computed((): ReadonlySet<Name> => new Set(shown.value.map(({ name }) => name)));
  const sort = computed((): Sort<Name> | null => {
    const { by, direction } = kept.value.sort ?? {};
    const column = shown.value.find(({ name }) => name === by);
    return column && direction ? { by: column.name, direction } : null;
  });
  const sortShown = computed(() => sort.value ?? natural);

  return {
    all,
    shown,
    names,
    widths: computed(() => kept.value.widths as { readonly [name in Name]?: number }),
    sort,
    sortShown,
    isChanged: computed(
      () => kept.value.shown !== null || sort.value !== null || Object.keys(kept.value.widths).length > 0,
    ),
    toggle(name) {
      const next = all.filter((column) => names.value.has(column.name) !== (column.name === name));
      change({ shown: next.map((column) => column.name) });
    },
    resize(name, width) {
      const { [name]: _own, ...others } = kept.value.widths;
      const own = width === null ? {} : { [name]: Math.round(Math.min(mostWidth, Math.max(leastWidth, width))) };
      change({ widths: { ...others, ...own } });
    },
    sortBy(name) {
      const first = all.find((column) => column.name === name)?.first ?? 'ascending';
      const { by, direction } = sortShown.value;
      if (by === name && direction !== first) return change({ sort: null });
      const next: Sort<Name> = { by: name, direction: by === name ? opposite(first) : first };
      change({ sort: next.by === natural.by && next.direction === natural.direction ? null : next });
    },
    reset: () => void (kept.value = untouched),
  };
}

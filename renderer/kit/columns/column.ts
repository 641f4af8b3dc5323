/** A column of a list. */
export interface Column<Name extends string = string> {
  /** Unique, and kept in the page's storage. */
  readonly name: Name;
  readonly title: string;
  /** What is in it, for the menu, where the title does not say it. */
  readonly about?: string;
  /** In pixels, at the usual size of text; or, with `fr`, a share of what the others leave. */
  readonly width: `${number}px` | `${number}fr`;
  /** Numbers and times are aligned right. */
  readonly isRight?: boolean;
  /** What its first activation sorts by; the second sorts the other way round, the third not at all. */
  readonly first: Direction;
  /** Not shown until it is chosen. */
  readonly isExtra?: boolean;
  /** It cannot be hidden: without it a row does not say what it is. */
  readonly isFixed?: boolean;
}

export type Direction = 'ascending' | 'descending';

export interface Sort<Name extends string = string> {
  readonly by: Name;
  readonly direction: Direction;
}

export const opposite = (direction: Direction): Direction => (direction === 'ascending' ? 'descending' : 'ascending');

/** In pixels: the least that a column can be made, and the most. */
export const [leastWidth, mostWidth] = [32, 1200];

/** The last column that grows: it takes what the others leave, so it has no width of its own. */
export function toFiller<Name extends string>(shown: readonly Column<Name>[]): Column<Name> | undefined {
  return shown.findLast(({ width }) => width.endsWith('fr'));
}

/**
 * The columns as a value of `grid-template-columns`.
 * @param widths what the person made of them, in pixels
 * @param scale how many times as large text is as usual
 */
export function toTracks<Name extends string>(
  shown: readonly Column<Name>[],
  widths: { readonly [name in Name]?: number },
  scale: number,
): string {
  const filler = toFiller(shown);
  return shown
    .map((column) => {
      const own = column === filler ? undefined : widths[column.name];
      if (own !== undefined) return `minmax(${leastWidth}px, ${own}px)`;
      if (column.width.endsWith('fr')) return `minmax(48px, ${column.width})`;
      return `minmax(${leastWidth}px, ${Number.parseFloat(column.width) * scale}px)`;
    })
    .join(' ');
}

/** A column of a list. */
export interface Column<Name extends string = string> {
  /** Unique, and kept in the page's storage. */
  readonly name: Name;
  readonly title: string;
  /** The content of the column, for the menu, if the title does not tell it. */
  readonly about?: string;
  /** In pixels, at the usual text size; or, with `fr`, a share of the remaining width. */
  readonly width: `${number}px` | `${number}fr`;
  /** Numbers and times are aligned right. */
  readonly isRight?: boolean;
  /** The direction of the first activation. The second reverses it, the third removes the sort. */
  readonly first: Direction;
  /** Whether it is hidden until the person chooses it. */
  readonly isExtra?: boolean;
  /** Whether it cannot be hidden, because it identifies the row. */
  readonly isFixed?: boolean;
}

export type Direction = 'ascending' | 'descending';

export interface Sort<Name extends string = string> {
  readonly by: Name;
  readonly direction: Direction;
}

export const opposite = (direction: Direction): Direction => (direction === 'ascending' ? 'descending' : 'ascending');

/** The least and the greatest width of a column, in pixels. */
export const [leastWidth, mostWidth] = [32, 1200];

/** The last growing column. It takes the remaining width, so it has no width of its own. */
export function toFiller<Name extends string>(shown: readonly Column<Name>[]): Column<Name> | undefined {
  return shown.findLast(({ width }) => width.endsWith('fr'));
}

/**
 * The columns as a value of `grid-template-columns`.
 * @param widths the widths that the person set, in pixels
 * @param scale how many times as large as usual the text is
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

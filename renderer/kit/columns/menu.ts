import { RotateCcw } from 'lucide-vue-next';
import type { MenuLine } from '../menu.ts';
import type { Columns } from './use-columns.ts';

/** The menu of a list's columns: shows, hides and resets them. */
export function toColumnLines<Name extends string>(columns: Columns<Name>): readonly MenuLine[] {
  return [
    ...columns.all.map(({ name, title, about, isFixed }): MenuLine => ({
      label: title,
      note: about,
      checked: columns.names.value.has(name),
      why: isFixed ? 'always shown' : null,
      act: () => columns.toggle(name),
    })),
    {
      label: 'Reset columns',
      icon: RotateCcw,
      isApart: true,
      why: columns.isChanged.value ? null : 'They are as they were.',
      act: columns.reset,
    },
  ];
}

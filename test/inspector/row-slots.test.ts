import { expect, test } from 'vitest';
import { toSlots } from '../../renderer/kit/row-slots.ts';

test('a row that stays keeps its element, and one that comes gets that of one that went', () => {
  const first = toSlots(['a', 'b', 'c', 'd']);
  const scrolled = toSlots(['c', 'd', 'e', 'f'], first);
  expect(scrolled.get('c')).toBe(first.get('c'));
  expect(scrolled.get('d')).toBe(first.get('d'));
  expect([scrolled.get('e'), scrolled.get('f')]).toEqual([first.get('a'), first.get('b')]);
});

test('where all rows are others, the elements stay in their order; more rows get new ones, no two the same', () => {
  const first = toSlots(['a', 'b', 'c']);
  expect([...toSlots(['x', 'y', 'z'], first).values()]).toEqual([...first.values()]);
  const more = toSlots(['c', 'x', 'y', 'z', 'w'], first);
  expect(new Set(more.values()).size).toBe(5);
  expect(new Set(toSlots(['w', 'v', 'u', 't'], toSlots(['w'], more)).values()).size).toBe(4);
});

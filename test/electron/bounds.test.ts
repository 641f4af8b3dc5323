import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeWindow, type Bounds } from '../../electron/bounds.ts';

const main: Bounds = { x: 0, y: 25, width: 1920, height: 1055 };
const left: Bounds = { x: -2560, y: 0, width: 2560, height: 1440 };

test('a window opens where it was, also on a second display', () => {
  const kept = { x: -2000, y: 200, width: 1200, height: 800 };
  expect(placeWindow(kept, [main, left])).toEqual(kept);
});

test('a window from a missing display opens in the middle of the main one', () => {
  expect(placeWindow({ x: -2000, y: 200, width: 1200, height: 800 }, [main])).toEqual({
    x: 240,
    y: 103,
    width: 1440,
    height: 900,
  });
});

test('a window whose title bar would be above the display is moved into view', () => {
  expect(placeWindow({ x: 100, y: -600, width: 1200, height: 800 }, [main]).y).toBeGreaterThanOrEqual(main.y);
});

test('a window is never larger than the display it opens on', () => {
  expect(placeWindow({ x: 0, y: 25, width: 5000, height: 4000 }, [main])).toMatchObject({ width: 1920, height: 1055 });
  expect(placeWindow(null, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({
    x: 0,
    y: 0,
    width: 1024,
    height: 700,
  });
});

test('for any stored place and any displays, the title bar can be reached', () => {
  const area = fc.record({
    x: fc.integer({ min: -4000, max: 4000 }),
    y: fc.integer({ min: -4000, max: 4000 }),
    width: fc.integer({ min: 720, max: 4000 }),
    height: fc.integer({ min: 480, max: 4000 }),
  });
  const kept = fc.record({
    x: fc.integer({ min: -9000, max: 9000 }),
    y: fc.integer({ min: -9000, max: 9000 }),
    width: fc.integer({ min: 0, max: 9000 }),
    height: fc.integer({ min: 0, max: 9000 }),
  });
  fc.assert(
    fc.property(fc.option(kept), fc.array(area, { minLength: 1, maxLength: 3 }), (bounds, areas) => {
      const placed = placeWindow(bounds, areas);
      const reachable = areas.some(
        (one) =>
          Math.min(placed.x + placed.width, one.x + one.width) - Math.max(placed.x, one.x) >= 100 &&
          placed.y >= one.y &&
          placed.y < one.y + one.height - 20,
      );
      expect(reachable).toBe(true);
    }),
  );
});

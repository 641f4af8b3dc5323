/** A rectangle in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const smallest = { width: 720, height: 480 } as const;
const usual = { width: 1440, height: 900 } as const;
/** So much of the title bar must be on a display for a person to get hold of the window. */
const grip = { width: 160, height: 40 } as const;

/**
 * Where the window opens: where it was, if it can still be seen and moved there; else in the middle of the first display.
 * @param areas the work areas of the displays, the main one first
 */
export function placeWindow(kept: Bounds | null, areas: readonly Bounds[]): Bounds {
  const [main] = areas;
  const area = kept ? areas.find((one) => canGrip(kept, one)) : undefined;
  if (kept && area) {
    const width = Math.max(smallest.width, Math.min(kept.width, area.width));
    const height = Math.max(smallest.height, Math.min(kept.height, area.height));
    return { x: kept.x, y: kept.y, width, height };
  }
  const within = main ?? { x: 0, y: 0, ...usual };
  const width = Math.min(usual.width, within.width);
  const height = Math.min(usual.height, within.height);
  return {
    x: Math.round(within.x + (within.width - width) / 2),
    y: Math.round(within.y + (within.height - height) / 2),
    width,
    height,
  };
}

function canGrip({ x, y, width }: Bounds, area: Bounds): boolean {
  const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return seen >= grip.width && y >= area.y && y <= area.y + area.height - grip.height;
}

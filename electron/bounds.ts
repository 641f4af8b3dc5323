/** A rectangle in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const smallest = { width: 720, height: 480 } as const;
const usual = { width: 1440, height: 900 } as const;
/** How much of the title bar must be on a display so that a person can drag the window. */
const grip = { width: 160, height: 40 } as const;

/**
 * Where the window opens: at its previous place, if it is visible and can be moved there; else in the middle of the
 * first display.
 * @param areas the work areas of the displays, the main one first
 */
export function placeWindow(kept: Bounds | null, areas: readonly Bounds[]): Bounds {
  return areas.flatMap((area) => (kept ? keepOn(kept, area) : []))[0] ?? toMiddle(areas[0] ?? { x: 0, y: 0, ...usual });
}

/** The previous place, adjusted to fit; null if it could not be dragged on this display. */
function keepOn(kept: Bounds, area: Bounds): readonly Bounds[] {
  const width = Math.max(smallest.width, Math.min(kept.width, area.width));
  const height = Math.max(smallest.height, Math.min(kept.height, area.height));
  const seen = Math.min(kept.x + width, area.x + area.width) - Math.max(kept.x, area.x);
  const isReached = seen >= grip.width && kept.y >= area.y && kept.y <= area.y + area.height - grip.height;
  return isReached ? [{ x: kept.x, y: kept.y, width, height }] : [];
}

function toMiddle(area: Bounds): Bounds {
  const width = Math.min(usual.width, area.width);
  const height = Math.min(usual.height, area.height);
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) / 2),
    width,
    height,
  };
}

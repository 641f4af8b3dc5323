import { inQuery, refuse } from '../../rules.ts';
import { timelineRules } from '../rules/time-rules.ts';
import type { Root } from './root.ts';

/** The position of a cause in the order of the timeline. */
export type Place = Pick<Root, 'at' | 'wall' | 'id'>;

/** Writes a position as text, which stays valid while causes are added and removed. */
export function toCursor({ at, wall, id }: Place): string {
  return `${at}.${wall}.${id}`;
}

/**
 * Reads the position from a cursor. Refuses anything else.
 * @param parameter the query parameter that has the cursor
 */
export function fromCursor(text: string, parameter: string): Place {
  const [, at, wall, id] = /^(-?\d{1,16})\.(\d{1,16})\.(.*)$/s.exec(text) ?? [];
  if (at === undefined || id === undefined)
    return refuse(timelineRules.cursor, inQuery(parameter), text, { cursor: text });
  return { at: Number(at), wall: Number(wall), id };
}

import { distance } from 'fastest-levenshtein';
import { nearestOf } from './contract/unknown-fields.ts';

/** A mistake of the developer, which the command line or the control API explains in one line. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** What it was, for programs, where one of them does something about it: `port-refused` by the system, `silent` for a server. */
  readonly code: 'port-refused' | 'silent' | null;

  constructor(message: string, code: UserError['code'] = null) {
    super(message);
    this.code = code;
  }
}

/** `Did you mean "pace"? Available: pace, world, rateLimits.` Of many names, only the one that is near, or else the nearest ones. */
export function didYouMean(sent: string, known: readonly string[]): string {
  const longer = (name: string): boolean => name.length > 3 && sent.startsWith(name);
  const meant = nearestOf(sent, known) ?? known.find(longer) ?? null;
  if (meant !== null && known.length > 8) return `Did you mean "${meant}"?`;
  // To compare a text of many thousand characters takes long.
  const word = sent.slice(0, 200);
  const sorted = known.toSorted((one, other) => distance(one, word) - distance(other, word));
  const names = known.length > 8 ? `${sorted.slice(0, 5).join(', ')} and ${known.length - 5} others` : known.join(', ');
  return `${meant === null ? '' : `Did you mean "${meant}"? `}Available: ${names}.`;
}

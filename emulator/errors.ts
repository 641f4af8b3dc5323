import { distance } from 'fastest-levenshtein';

/** A mistake of the developer, which the command line or the control API explains in one line. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** What it was, for programs, where one of them does something about it: `port-refused` by the system. */
  readonly code: 'port-refused' | null;

  constructor(message: string, code: UserError['code'] = null) {
    super(message);
    this.code = code;
  }
}

/** `Did you mean "pace"? There are pace, world and rateLimits.` Of many names that are not near, the nearest ones. */
export function didYouMean(sent: string, known: readonly string[]): string {
  // To compare a text of many thousand characters takes long.
  const word = sent.slice(0, 200);
  const [nearest = '', ...others] = known.toSorted((one, other) => distance(one, word) - distance(other, word));
  const isNear = distance(nearest, word) <= Math.max(2, word.length / 2);
  const few = others.length < 8;
  const shown = `There ${known.length === 1 ? 'is' : 'are'} ${few ? known.join(', ') : `${[nearest, ...others.slice(0, 4)].join(', ')} and ${others.length - 4} others`}.`;
  if (!isNear) return shown;
  return few ? `Did you mean "${nearest}"? ${shown}` : `Did you mean "${nearest}"?`;
}

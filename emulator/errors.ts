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

/** @throws UserError where Node may not compile the checks that are made of the schemas */
export function mustCompile(): void {
  try {
    void new Function();
  } catch {
    throw new UserError(
      'Sandpiper compiles its checks when it runs, which --disallow-code-generation-from-strings forbids. Start Node without it.',
    );
  }
}

/** What went wrong, as whatever was thrown says it. In a test of Jest, an error of Node is not an instance of its `Error`. */
export function reasonOf(thrown: unknown): string {
  const isError = typeof thrown === 'object' && thrown !== null && 'message' in thrown;
  return String(isError ? thrown.message : thrown);
}

/** The same with where it happened. */
export function traceOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The name that was probably meant; null if none is near. */
export function meantBy(sent: string, known: readonly string[]): string | null {
  const longer = (name: string): boolean => name.length > 3 && sent.startsWith(name);
  return nearestOf(sent, known) ?? known.find(longer) ?? null;
}

/** Of more names only the nearest are listed. */
const mostListed = 20;

/**
 * `Did you mean "pace"? Available: pace, world, rateLimits.` Of more than eight names, only the one that is near; if none is,
 * all, and of very many the nearest ones.
 */
export function didYouMean(sent: string, known: readonly string[]): string {
  const meant = meantBy(sent, known);
  if (meant !== null && known.length > 8) return `Did you mean "${meant}"?`;
  // To compare a text of many thousand characters takes long.
  const word = sent.slice(0, 200);
  const sorted = known.toSorted((one, other) => distance(one, word) - distance(other, word));
  const names =
    known.length > mostListed ? `${sorted.slice(0, 5).join(', ')} and ${known.length - 5} others` : known.join(', ');
  return `${meant === null ? '' : `Did you mean "${meant}"? `}Available: ${names}.`;
}

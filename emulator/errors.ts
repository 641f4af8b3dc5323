import { distance } from 'fastest-levenshtein';
import { nearestOf } from './contract/unknown-fields.ts';

/** A mistake by the developer, which the command line or the control API explains in one line. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /**
   * The cause, if a program reacts to it: `port-refused` for a port that cannot be opened, `silent` for a server that
   * does not answer.
   */
  readonly code: 'port-refused' | 'silent' | null;

  constructor(message: string, code: UserError['code'] = null) {
    super(message);
    this.code = code;
  }
}

/** @throws UserError if Node may not compile the checks that are generated from the schemas */
export function mustCompile(): void {
  try {
    void new Function();
  } catch {
    throw new UserError(
      'Sandpiper compiles its checks when it runs, which --disallow-code-generation-from-strings forbids. Start Node without it.',
    );
  }
}

/** The message of any thrown value. In a Jest test, an error of Node is not an instance of the test's `Error`. */
export function reasonOf(thrown: unknown): string {
  const isError = typeof thrown === 'object' && thrown !== null && 'message' in thrown;
  return String(isError ? thrown.message : thrown);
}

/** The stack trace of an error, or its message if it has none; any other thrown value as text. */
export function traceOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The name that was probably meant; null if none is near. */
export function meantBy(sent: string, known: readonly string[]): string | null {
  const longer = (name: string): boolean => name.length > 3 && sent.startsWith(name);
  return nearestOf(sent, known) ?? known.find(longer) ?? null;
}

/** A longer list of names is cut to the nearest ones. */
const mostListed = 20;

/**
 * `Did you mean "pace"? Available: pace, world, rateLimits.` With more than eight names, only the near one is listed.
 * If none is near, all are listed, or the nearest ones if there are very many.
 */
export function didYouMean(sent: string, known: readonly string[]): string {
  const meant = meantBy(sent, known);
  if (meant !== null && known.length > 8) return `Did you mean "${meant}"?`;
  // Comparing a text of many thousand characters takes long.
  const word = sent.slice(0, 200);
  const sorted = known.toSorted((one, other) => distance(one, word) - distance(other, word));
  const names =
    known.length > mostListed ? `${sorted.slice(0, 5).join(', ')} and ${known.length - 5} others` : known.join(', ');
  return `${meant === null ? '' : `Did you mean "${meant}"? `}Available: ${names}.`;
}

import { distance } from 'fastest-levenshtein';

/** Longer paths are no misspelling, and comparing them would take time. */
const longestPath = 200;

/**
 * The operation that a request probably meant: paths are compared segment by segment, so that a word counts for more
 * than the letters around it.
 * @param operations method and path template, such as `GET /v1/webhooks/{webhookId}`
 */
export function nearestOperation(method: string, path: string, operations: readonly string[]): string {
  const asked = toSegments(path.slice(0, longestPath));
  const far = (operation: string): number => {
    const [its = '', template = ''] = operation.split(' ');
    return segmentDistance(asked, toSegments(template)) + (its === method ? 0 : 0.1);
  };
  const measured = operations.map((operation) => ({ operation, far: far(operation) }));
  return measured.toSorted((one, other) => one.far - other.far)[0]?.operation ?? '';
}

/** A segment that was left out costs less than one that is another. */
const left = 0.6;

const toSegments = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');

/** Levenshtein over segments; one that is alike costs less than one that is another, a parameter takes any for little. */
function segmentDistance(asked: readonly string[], template: readonly string[]): number {
  let row = template.map((_segment, at) => (at + 1) * left);
  row.unshift(0);
  for (const [at, segment] of asked.entries()) {
    const next = [at + 1];
    for (const [column, other] of template.entries()) {
      const replaced = (row[column] ?? 0) + cost(segment, other);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + left));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function cost(segment: string, other: string): number {
  if (segment === other) return 0;
  if (other.startsWith('{')) return /^v\d$/.test(segment) ? 1 : 0.3;
  return (1.2 * distance(segment, other)) / Math.max(segment.length, other.length);
}

/** Calls of the platform that public clients make and the specification does not have (docs/platform.md, Beyond the specification). */
const beyond: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/v2\/me$/],
  ['POST', /^\/v2\/user\/attributes$/],
  ['*', /^\/v2\/bulk(?:\/|$)/],
  ['*', /^\/v[12]\/segments(?:\/|$)/],
  ['POST', /^\/v1\/text\/send$/],
  ['DELETE', /^\/v1\/subscriptions(?:\/|$)/],
];

/** Whether the platform is known to have a call that is not emulated. */
export function isBeyond(method: string, path: string): boolean {
  return beyond.some(([its, pattern]) => (its === '*' || its === method) && pattern.test(path));
}

import { distance } from 'fastest-levenshtein';

/** Longer paths are not misspellings, and comparing them would take time. */
const longestPath = 200;

/**
 * The operation that a request probably meant. Paths are compared segment by segment, so that whole words count more
 * than letters.
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

/** A missing segment costs less than a different one. */
const left = 0.6;

const toSegments = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');

/**
 * Levenshtein distance over segments; a similar segment costs less than a different one, a parameter matches any at a
 * small cost.
 */
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

/**
 * Operations of the platform that public clients call and the specification does not have (docs/platform.md, Beyond the
 * specification).
 */
const beyond: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/v2\/me$/],
  ['POST', /^\/v2\/user\/attributes$/],
  ['*', /^\/v2\/bulk(?:\/|$)/],
  ['*', /^\/v[12]\/segments(?:\/|$)/],
  ['POST', /^\/v1\/text\/send$/],
  ['DELETE', /^\/v1\/subscriptions(?:\/|$)/],
];

/** Whether the platform is known to have an operation that is not emulated. */
export function isBeyond(method: string, path: string): boolean {
  return beyond.some(([its, pattern]) => (its === '*' || its === method) && pattern.test(path));
}

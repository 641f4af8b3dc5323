import { distance } from 'fastest-levenshtein';

/** Longer paths are not misspellings, and comparing them would take time. */
const longestPath = 200;

/**
 * The operation that a request probably meant. Paths are compared segment by segment, so that whole words count more
 * than letters.
 * @param operations method and path template, such as `GET /v1/webhooks/{webhookId}`
 * @returns null if none is similar
 */
export function nearestOperation(method: string, path: string, operations: readonly string[]): string | null {
  const asked = toSegments(path.slice(0, longestPath));
  const similar = operations.flatMap((operation) => {
    const [its = '', template = ''] = operation.split(' ');
    const segments = toSegments(template);
    const far = segmentDistance(asked, segments);
    const isSimilar = sharesWord(asked, segments) && far <= farthest * Math.max(asked.length, segments.length);
    return isSimilar ? [{ operation, far: far + (its === method ? 0 : 0.1) }] : [];
  });
  return similar.toSorted((one, other) => one.far - other.far)[0]?.operation ?? null;
}

/** The paths that OAuth libraries call until they are given those of the platform. */
const oauthDefaults: readonly (readonly [path: RegExp, operation: string])[] = [
  [/^(?:\/v1)?(?:\/oauth2?)?\/(?:access_)?token$/, 'POST /v1/authorization-codes/tokens'],
  [/^(?:\/v1)?(?:\/oauth2?)?\/authorize$/, 'GET /integrations/oauth-install'],
];

/** The operation that OAuth libraries mean by a path that they call by default; null for any other path. */
export function operationOfOAuth(path: string): string | null {
  return oauthDefaults.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Facts about a path that names none of the operations. */
export interface UnknownPath {
  readonly path: string;
  readonly method: string;
  readonly nearest: string | null;
  /** The parameter of the nearest operation that is empty. */
  readonly empty: string | null;
  /** The inspector's address. */
  readonly inspector: string;
}

/** The paths at which other servers describe their API. */
const descriptions = /\/(?:openapi|swagger)(?:\.(?:json|ya?ml))?$|\/(?:api-)?docs$/i;

/** Says which operation was probably meant, or where else to look. */
export function sayNearest({ path, nearest, empty, inspector }: UnknownPath): string {
  if (nearest !== null) return `The nearest one is ${nearest}${empty === null ? '' : `, and its ${empty} is empty`}.`;
  if (descriptions.test(path)) return `The OpenAPI document is ${inspector}/control/openapi.json.`;
  if (/^\/(?:v1\/?)?$/.test(path)) return `Paths begin with /v1, as in GET /v1/me. The inspector is at ${inspector}.`;
  return 'None has a similar path.';
}

/** Fills a template with the parameters of a similar path; null if the two do not have the same number of segments. */
export function withSegmentsOf(template: string, path: string): string | null {
  const [wanted, sent] = [template, path].map((one) => one.split('/').filter((segment) => segment !== ''));
  if (!template.includes('{')) return template;
  if (!wanted || !sent || wanted.length !== sent.length) return null;
  return `/${wanted.map((segment, at) => (segment.startsWith('{') ? sent[at] : segment)).join('/')}`;
}

/** The operation's parameter that is empty in a path, for example because a program has no id; null if none is. */
export function emptyParameter(operation: string, path: string): string | null {
  const [wanted, sent] = [operation.split('/'), path.split('/')];
  if (wanted.length !== sent.length) return null;
  return wanted.find((segment, at) => segment.startsWith('{') && sent[at] === '')?.slice(1, -1) ?? null;
}

/** The distance per segment up to which paths count as similar. */
const farthest = 0.5;

/** Whether a word of the path is similar to one of the template. Versions and parameters do not show what was meant. */
function sharesWord(asked: readonly string[], template: readonly string[]): boolean {
  const words = template.filter((segment) => !isVersion.test(segment) && !segment.startsWith('{'));
  return asked.some((segment) => !isVersion.test(segment) && words.some((word) => cost(segment, word) < 0.6));
}

const isVersion = /^v\d$/;

/** The cost of a missing segment, which is less than that of a different one. */
const left = 0.6;
/**
 * The cost of a slash at the end: nearly nothing, if it must be left out (`out`) or the parameter after it is empty.
 */
const ended = { out: 0.05, empty: 0.1 };
/** The cost of two words in which most letters differ. */
const different = 1.5;

/** The segments that are not empty, and an empty one for a slash at the end. */
const toSegments = (path: string): readonly string[] => {
  const segments = path.toLowerCase().split('/');
  return segments.filter((segment, at) => segment !== '' || (at > 1 && at === segments.length - 1));
};

/**
 * Levenshtein distance over segments; a similar segment costs less than a different one, a parameter matches any at a
 * small cost.
 */
function segmentDistance(asked: readonly string[], template: readonly string[]): number {
  let row = template.map((_segment, at) => (at + 1) * left);
  row.unshift(0);
  for (const segment of asked) {
    const added = segment === '' ? ended.out : 1;
    const next = [(row[0] ?? 0) + added];
    for (const [column, other] of template.entries()) {
      const replaced = (row[column] ?? 0) + cost(segment, other);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + added, (next[column] ?? 0) + left));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function cost(segment: string, other: string): number {
  if (segment === other) return 0;
  if (segment === '') return other.startsWith('{') ? ended.empty : different;
  if (other.startsWith('{')) return isVersion.test(segment) ? 1 : 0.3;
  const [shorter = 0, longer = 0] = [segment.length, other.length].toSorted((a, b) => a - b);
  if (shorter > 3 && (other.includes(segment) || segment.includes(other))) return 0.6 * (1 - shorter / longer);
  const share = distance(segment, other) / longer;
  return share > 0.6 ? different : 1.2 * share;
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

/**
 * The operation of the platform at a path that is known but not emulated; null if none is known. Its method is the one
 * in the list above, or the request's for `*`.
 */
export function operationBeyond(method: string, path: string): string | null {
  const known = beyond.filter(([, pattern]) => pattern.test(path));
  const [its] = known.find(([one]) => one === '*' || one === method) ?? known[0] ?? [];
  return its === undefined ? null : `${its === '*' ? method : its} ${path}`;
}

/** First part of a link → the page's section, where they differ. */
const sections = new Set([
  'requests',
  'webhooks',
  'subscribers',
  'catalog',
  'offers',
  'privacy',
  'attributes',
  'sign-up-units',
  'apps',
  'try',
  'faults',
  'snapshots',
  'problems',
  'settings',
]);

export const linkScheme = 'sandpiper';
const longestLink = 500;

/**
 * Where a `sandpiper://` link leads: `sandpiper://requests/req_1` is the route `/requests/req_1`. A link comes from any
 * page or program, so it can only name a view and a record; anything else in it makes it no link at all.
 * @returns the route; null where it is none of ours
 */
export function toRoute(link: string): string | null {
  if (link.length > longestLink || !URL.canParse(link)) return null;
  const url = new URL(link);
  if (url.protocol !== `${linkScheme}:` || url.username || url.password || url.port || url.search || url.hash)
    return null;
  if (url.hostname === 'home' && /^\/?$/.test(url.pathname)) return '/';
  const id = /^(?:\/([A-Za-z0-9_-]{1,200})?)?$/.exec(url.pathname);
  if (!sections.has(url.hostname) || !id) return null;
  return id[1] === undefined ? `/${url.hostname}` : `/${url.hostname}/${id[1]}`;
}

/** The link among the arguments of a start; systems other than macOS hand it over there. */
export function linkAmong(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(`${linkScheme}://`)) ?? null;
}

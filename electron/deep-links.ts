/** The paths of the page's sections, beside Home. */
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
/** Read as it stands, not as a URL: parsing one would resolve its dots and decode its letters first. */
const pattern = /^sandpiper:\/\/([a-z-]{1,32})(?:\/([A-Za-z0-9_-]{1,200})?)?$/;

/**
 * Where a `sandpiper://` link leads: `sandpiper://requests/req_1` is the route `/requests/req_1`. A link comes from any
 * page or program, so it can only name a view and a record; anything else in it makes it no link at all.
 * @returns the route; null where it is none of ours
 */
export function toRoute(link: string): string | null {
  const [, section = '', id] = pattern.exec(link) ?? [];
  if (section === 'home') return id === undefined ? '/' : null;
  if (!sections.has(section)) return null;
  return id === undefined ? `/${section}` : `/${section}/${id}`;
}

/** The link among the arguments of a start; systems other than macOS hand it over there. */
export function linkAmong(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(`${linkScheme}://`)) ?? null;
}

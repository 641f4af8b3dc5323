import { sectionList } from '../renderer/section-list.ts';

/** The first part of the path of each section except Home, which has none. */
const sections = new Set(sectionList.flatMap(({ path }) => path.split('/')[1] || []));

export const linkScheme = 'sandpiper';
/** Matched as text, not as a URL: URL parsing would resolve dots and decode letters first. */
const pattern = /^sandpiper:\/\/([a-z-]{1,32})(?:\/([A-Za-z0-9_-]{1,200})?)?$/;

/**
 * The route of a `sandpiper://` link: `sandpiper://requests/req_1` is `/requests/req_1`. A link may come from any page
 * or program, so it can only name a view and a record; a link with anything else is ignored.
 * @returns the route; null if the link names none
 */
export function toRoute(link: string): string | null {
  const [, section = '', id] = pattern.exec(link) ?? [];
  if (section === 'home') return id === undefined ? '/' : null;
  if (!sections.has(section)) return null;
  return id === undefined ? `/${section}` : `/${section}/${id}`;
}

/** The link in the command-line arguments, where systems other than macOS pass it. */
export function linkAmong(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(`${linkScheme}://`)) ?? null;
}

import type { Kind } from '../emulator/control/calls.ts';

/**
 * Every section of the window, in the order of the sidebar and the menu; the first nine have a number key. It holds
 * only data, because the shell builds its menu and links from it too.
 */
export const sectionList = [
  { name: 'home', path: '/', chord: 'h', title: 'Home', group: 'Daily' },
  { name: 'requests', path: '/requests/:id?', chord: 'r', title: 'Requests', group: 'Daily' },
  { name: 'timeline', path: '/timeline/:id?', chord: 't', title: 'Timeline', group: 'Daily' },
  { name: 'webhooks', path: '/webhooks/:id?', chord: 'w', title: 'Webhooks', group: 'Daily', counts: 'webhooks' },
  {
    name: 'subscribers',
    path: '/subscribers/:id?',
    chord: 's',
    title: 'Subscribers',
    group: 'Records',
    counts: 'users',
  },
  { name: 'catalog', path: '/catalog/:id?', chord: 'c', title: 'Catalog', group: 'Records', counts: 'uploads' },
  { name: 'offers', path: '/offers/:id?', chord: 'o', title: 'Offers', group: 'Records', counts: 'offers' },
  {
    name: 'privacy',
    path: '/privacy/:id?',
    chord: 'p',
    title: 'Privacy requests',
    group: 'Records',
    counts: 'privacy-requests',
  },
  {
    name: 'attributes',
    path: '/attributes/:id?',
    chord: 'a',
    title: 'Attributes',
    group: 'Records',
    counts: 'attribute-definitions',
  },
  {
    name: 'units',
    path: '/sign-up-units/:id?',
    chord: 'u',
    title: 'Sign-up units',
    group: 'Records',
    counts: 'sign-up-units',
  },
  { name: 'apps', path: '/apps/:id?', chord: 'k', title: 'Apps and keys', group: 'Records', counts: 'apps' },
  { name: 'try', path: '/try/:operation?', chord: 'i', title: 'Try it', group: 'Tools' },
  { name: 'faults', path: '/faults', chord: 'f', title: 'Faults and limits', group: 'Tools' },
  { name: 'snapshots', path: '/snapshots', chord: 'n', title: 'Snapshots', group: 'Tools' },
  { name: 'problems', path: '/problems', chord: 'e', title: 'Server errors', group: 'Tools' },
  { name: 'reference', path: '/reference/:id?', chord: 'd', title: 'Reference', group: 'Tools' },
  { name: 'settings', path: '/settings', chord: ',', title: 'Settings', group: 'Tools' },
] as const satisfies readonly SectionRow[];

interface SectionRow {
  /** The name of the section and of its route. */
  readonly name: string;
  readonly path: string;
  /** The key that goes there after `g`. */
  readonly chord: string;
  readonly title: string;
  readonly group: 'Daily' | 'Records' | 'Tools';
  /** The kind of record whose count appears beside the title. */
  readonly counts?: Kind;
}

/** The sections that show a kind of record. */
export const countedSections = sectionList.flatMap((row) => ('counts' in row ? [row] : []));

export type SectionName = (typeof sectionList)[number]['name'];

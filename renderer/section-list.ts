import type { Kind } from '../emulator/control/protocol.ts';

/**
 * Every section of the window, in the order of the sidebar and of the menu; the first nine have a number as key. Only
 * data: the shell's menu and its links follow it too.
 */
export const sectionList = [
  { name: 'home', path: '/', title: 'Home', group: 'Daily' },
  { name: 'requests', path: '/requests/:id?', title: 'Requests', group: 'Daily' },
  { name: 'timeline', path: '/timeline/:id?', title: 'Timeline', group: 'Daily' },
  { name: 'webhooks', path: '/webhooks/:id?', title: 'Webhooks', group: 'Daily', counts: 'webhooks' },
  { name: 'subscribers', path: '/subscribers/:id?', title: 'Subscribers', group: 'Records', counts: 'users' },
  { name: 'catalog', path: '/catalog/:id?', title: 'Catalog', group: 'Records', counts: 'uploads' },
  { name: 'offers', path: '/offers/:id?', title: 'Offers', group: 'Records', counts: 'offers' },
  { name: 'privacy', path: '/privacy/:id?', title: 'Privacy requests', group: 'Records', counts: 'privacy-requests' },
  {
    name: 'attributes',
    path: '/attributes/:id?',
    title: 'Attributes',
    group: 'Records',
    counts: 'attribute-definitions',
  },
  { name: 'units', path: '/sign-up-units/:id?', title: 'Sign-up units', group: 'Records', counts: 'sign-up-units' },
  { name: 'apps', path: '/apps/:id?', title: 'Apps and keys', group: 'Records', counts: 'apps' },
  { name: 'try', path: '/try/:operation?', title: 'Try it', group: 'Tools' },
  { name: 'faults', path: '/faults', title: 'Faults and limits', group: 'Tools' },
  { name: 'snapshots', path: '/snapshots', title: 'Snapshots', group: 'Tools' },
  { name: 'problems', path: '/problems', title: 'Server errors', group: 'Tools' },
  { name: 'reference', path: '/reference/:id?', title: 'Reference', group: 'Tools' },
  { name: 'settings', path: '/settings', title: 'Settings', group: 'Tools' },
] as const satisfies readonly SectionRow[];

interface SectionRow {
  /** Also the route's name. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly group: 'Daily' | 'Records' | 'Tools';
  /** The kind of record whose number is shown beside the title. */
  readonly counts?: Kind;
}

export type SectionName = (typeof sectionList)[number]['name'];

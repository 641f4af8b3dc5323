import { Box, Building2, Download, Dumbbell, FileUp, Inbox, Plus, UserPlus } from 'lucide-vue-next';
import type { SectionName } from '../section-list.ts';
import type { Action } from './actions.ts';

const make = 'new add make create';

/**
 * An action of one view that the palette lists everywhere. From another view it goes to its section first. The view
 * adds the function, and the reason why it cannot run now.
 */
interface ViewAction extends Required<Pick<Action, 'title' | 'icon' | 'words'>> {
  readonly section: SectionName;
}

const table = {
  'person.new': {
    section: 'subscribers',
    title: 'Subscribe someone new',
    icon: UserPlus,
    words: `${make} subscriber person`,
  },
  'webhook.new': { section: 'webhooks', title: 'Create a webhook', icon: Plus, words: `${make} endpoint receiver` },
  'offer.new': { section: 'offers', title: 'Create an offer', icon: Plus, words: `${make} coupon pool` },
  'app.new': { section: 'apps', title: 'Create an app', icon: Plus, words: `${make} api key scopes oauth` },
  'company.new': { section: 'apps', title: 'Create a company', icon: Building2, words: `${make} account` },
  'unit.new': { section: 'units', title: 'Create a sign-up unit', icon: Plus, words: `${make} source` },
  'attribute.new': {
    section: 'attributes',
    title: 'Create an attribute',
    icon: Plus,
    words: `${make} definition property`,
  },
  'catalog.new': { section: 'catalog', title: 'New catalog upload', icon: Plus, words: `${make} products file` },
  'catalog.products': { section: 'catalog', title: 'Browse the saved products', icon: Box, words: 'items list' },
  'webhook.gym': { section: 'webhooks', title: 'Stress a receiver', icon: Dumbbell, words: 'gym test repeat late' },
  'webhook.receiver': {
    section: 'webhooks',
    title: 'Open the built-in receiver',
    icon: Inbox,
    words: 'webhook received',
  },
  'snapshots.export': {
    section: 'snapshots',
    title: 'Export the current state',
    icon: Download,
    words: 'save download file backup',
  },
  'snapshots.import': {
    section: 'snapshots',
    title: 'Import a state from a file',
    icon: FileUp,
    words: 'load restore upload merge',
  },
} as const satisfies { readonly [name: string]: ViewAction };

export const viewActions: readonly (ViewAction & { readonly name: string })[] = Object.entries(table).map(
  ([name, action]) => ({ name, ...action }),
);

/** Returns an action of the table, completed by its view. */
export function toAction(name: keyof typeof table, act: Action['act'], why: string | null = null): Action {
  const { title, icon, words } = table[name];
  return { name, title, icon, words, why, act };
}

import { Box, Download, Dumbbell, FileUp, Inbox, Plus } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { SectionName } from '../section-list.ts';

const toMake = 'new add make';

/** What single views offer: the palette lists it in every view, by the name that it has there. */
export const viewActions: readonly {
  readonly name: string;
  readonly section: SectionName;
  readonly title: string;
  readonly icon: Component;
  readonly words: string;
}[] = [
  {
    name: 'person.new',
    section: 'subscribers',
    title: 'Subscribe someone new',
    icon: Plus,
    words: `${toMake} create subscriber person`,
  },
  {
    name: 'webhook.new',
    section: 'webhooks',
    title: 'Create a webhook',
    icon: Plus,
    words: `${toMake} endpoint receiver`,
  },
  { name: 'offer.new', section: 'offers', title: 'Create an offer', icon: Plus, words: `${toMake} coupon pool` },
  { name: 'app.new', section: 'apps', title: 'Create an app', icon: Plus, words: `${toMake} api key scopes oauth` },
  { name: 'company.new', section: 'apps', title: 'Create a company', icon: Plus, words: `${toMake} account` },
  { name: 'unit.new', section: 'units', title: 'Create a sign-up unit', icon: Plus, words: `${toMake} source` },
  {
    name: 'attribute.new',
    section: 'attributes',
    title: 'Create an attribute',
    icon: Plus,
    words: `${toMake} definition property`,
  },
  {
    name: 'catalog.new',
    section: 'catalog',
    title: 'New catalog upload',
    icon: Plus,
    words: `${toMake} create products file`,
  },
  { name: 'catalog.products', section: 'catalog', title: 'Browse the saved products', icon: Box, words: 'items list' },
  {
    name: 'webhook.gym',
    section: 'webhooks',
    title: 'Stress a receiver',
    icon: Dumbbell,
    words: 'gym test repeat late',
  },
  {
    name: 'webhook.receiver',
    section: 'webhooks',
    title: 'Open the built-in receiver',
    icon: Inbox,
    words: 'webhook received sink',
  },
  {
    name: 'snapshots.export',
    section: 'snapshots',
    title: 'Export the current state',
    icon: Download,
    words: 'save download file backup',
  },
  {
    name: 'snapshots.import',
    section: 'snapshots',
    title: 'Import a state from a file',
    icon: FileUp,
    words: 'load restore upload merge',
  },
];

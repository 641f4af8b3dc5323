import type { SectionName } from '../section-list.ts';

/** What the views can create: the palette offers it everywhere, by the name of the action that the view offers. */
export const creations: readonly {
  readonly name: string;
  readonly section: SectionName;
  readonly title: string;
  readonly words?: string;
}[] = [
  { name: 'person.new', section: 'subscribers', title: 'Subscribe someone new', words: 'create subscriber person' },
  { name: 'webhook.new', section: 'webhooks', title: 'Create a webhook', words: 'endpoint receiver' },
  { name: 'offer.new', section: 'offers', title: 'Create an offer', words: 'coupon pool' },
  { name: 'app.new', section: 'apps', title: 'Create an app', words: 'api key scopes oauth' },
  { name: 'company.new', section: 'apps', title: 'Create a company', words: 'account' },
  { name: 'unit.new', section: 'units', title: 'Create a sign-up unit', words: 'source' },
  { name: 'attribute.new', section: 'attributes', title: 'Create an attribute', words: 'definition property' },
  { name: 'catalog.new', section: 'catalog', title: 'New catalog upload', words: 'create products file' },
];

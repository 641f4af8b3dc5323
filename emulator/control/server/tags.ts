/** The subjects of those tags of the OpenAPI documents that have several operations. */

/** Of the emulated API; `deliveries` are the webhooks that it sends. */
export const apiTags = {
  attributes: 'Custom attributes of subscribers.',
  deliveries: 'What is sent to webhooks.',
  events: 'E-commerce events and custom events.',
  privacy: 'Requests to delete a subscriber.',
  'product-catalog': 'Uploads of the product catalog.',
  subscriptions: 'Subscribing, unsubscribing, and what a user is subscribed to.',
  webhooks: 'Webhook subscriptions for event types.',
} as const;

/** Of the control API, without `/control`. */
export const controlTags = {
  'allowed-hosts': 'Host names under which the servers may be addressed.',
  apps: 'Apps of companies, and their scopes.',
  attributes: 'The definitions of custom attributes.',
  catalog: 'The saved products, and what a catalog file is checked for.',
  clock: 'The virtual clock.',
  companies: 'Companies, and the search in their records.',
  credentials: 'API keys and access tokens.',
  deliveries: 'What was sent to webhooks, with each attempt.',
  faults: 'Errors, delays and broken connections on request.',
  limits: 'The rate limits.',
  messages: 'The simulated phone and inbox.',
  offers: 'Offers that are created by hand.',
  'own-errors': 'Internal errors of Sandpiper.',
  pace: 'How fast records change their states.',
  people: 'The people of a company, with their history.',
  receiver: 'The built-in receiver of webhooks.',
  records: 'Records of any kind, and their moves by hand.',
  requests: 'The recorded requests.',
  'sign-up-units': 'Sign-up units of companies.',
  snapshots: 'Named copies of the whole state.',
  timeline: 'What happened on the virtual clock, and earlier moments.',
  trigger: 'Webhook events that are fired by hand.',
  undo: 'Taking back what was done by hand.',
  uploads: 'Catalog uploads, their files and their errors.',
  webhooks: 'Webhooks that are managed by hand.',
} as const;

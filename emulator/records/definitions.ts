import { apps, authorizationCodes, companies, credentials, platformNotices, settings } from './accounts.ts';
import { deliveries, webhooks } from './deliveries.ts';
import { offerUploads, offers, uploads } from './offers.ts';
import {
  attributeDefinitions,
  attributeValues,
  events,
  messages,
  privacyRequests,
  shortLinks,
  signUpUnits,
  subscriptions,
  users,
} from './people.ts';

/** Every kind of record of the platform, in the order of the state file. */
export const definitions = {
  companies,
  apps,
  credentials,
  authorizationCodes,
  users,
  subscriptions,
  signUpUnits,
  attributeDefinitions,
  attributeValues,
  events,
  offers,
  offerUploads,
  uploads,
  privacyRequests,
  webhooks,
  deliveries,
  platformNotices,
  messages,
  shortLinks,
  settings,
};

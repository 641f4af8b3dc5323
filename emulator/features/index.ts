import type { Feed } from '../feed.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { randomSecret } from '../ids.ts';
import { createLifecycle } from '../machine/lifecycle.ts';
import { rulesOf } from '../rules.ts';
import type { FeatureLifecycles, LifecycleDeps } from '../deps.ts';
import { accountRules } from './accounts/rules.ts';
import { readSavedLines, savedBytes, writeSavedLines } from './catalog/saved/transfer.ts';
import { createCatalog, type Catalog } from './catalog/catalog.ts';
import { catalogEndpoints, catalogRequestRules } from './catalog/endpoints.ts';
import { catalogFileRules } from './catalog/rules.ts';
import { createGraphqlEndpoints } from './graphql/graphql.ts';
import { graphqlRules } from './graphql/rules.ts';
import { me } from './me.ts';
import { attributeEndpoints } from './attributes/attributes.ts';
import { attributeManagementRules } from './attributes/manage.ts';
import { attributeRules } from './attributes/rules.ts';
import { customEventEndpoints } from './custom-events/custom-events.ts';
import { customEventRules } from './custom-events/rules.ts';
import { ecommerceRules, ecommerceEndpoints } from './ecommerce.ts';
import { identityRules, identityEndpoints } from './identity.ts';
import { createInstallEndpoints } from './oauth/install.ts';
import { oauthRules } from './oauth/rules.ts';
import { exchangeCode } from './oauth/token.ts';
import { offerManagementRules } from './offers/manage.ts';
import { createOfferEndpoints } from './offers/offers.ts';
import { offerRules } from './offers/rules.ts';
import { offerTable } from './offers/states.ts';
import { privacyEndpoints } from './privacy/endpoints.ts';
import { createPrivacyLifecycle } from './privacy/lifecycle.ts';
import { privacyRules } from './privacy/rules.ts';
import { sharedOperations } from './shared-operations.ts';
import { shortLinkRules, shortLinkEndpoints } from './short-links.ts';
import { unitManagementRules } from './subscriptions/manage-units.ts';
import { subscriptionEndpoints } from './subscriptions/endpoints.ts';
import { subscriptionRules } from './subscriptions/rules.ts';
import { webhookRules } from './webhooks/rules.ts';
import { webhookEndpoints } from './webhooks/webhooks.ts';

/** The rules of every group, including those for records created by hand. */
export const allFeatureRules = rulesOf(
  webhookRules,
  subscriptionRules,
  unitManagementRules,
  identityRules,
  privacyRules,
  ecommerceRules,
  customEventRules,
  attributeRules,
  attributeManagementRules,
  graphqlRules,
  oauthRules,
  offerRules,
  offerManagementRules,
  catalogRequestRules,
  catalogFileRules,
  shortLinkRules,
  accountRules,
);

export interface FeatureDeps extends LifecycleDeps {
  readonly feed: Feed;
  readonly workerUrl: URL;
}

export interface Features {
  readonly operations: readonly Endpoint[];
  readonly rootOperations: readonly Endpoint[];
  readonly lifecycles: FeatureLifecycles;
  readonly catalog: Catalog;
  /** Functions that read a company's saved products from its folder, write them, and tell their size. */
  readonly savedProducts: {
    readonly bytes: typeof savedBytes;
    readonly read: typeof readSavedLines;
    readonly write: typeof writeSavedLines;
  };
  /** Sets the timers, and continues work that was interrupted by a stop. */
  resume(): void;
  /** Sets the timers again after a change of pace. */
  rearm(): void;
  /** Stops running work; it continues at the next `resume`. */
  stop(): Promise<void>;
  /** Stops; nothing continues afterwards. */
  close(): Promise<void>;
}

/**
 * Wires every group of the API: its operations, and the lifecycles of records that change their state by themselves.
 */
export function createFeatures({ store, clock, feed, delays, workerUrl }: FeatureDeps): Features {
  const operations: readonly Endpoint[] = [
    me,
    ...webhookEndpoints,
    ...ecommerceEndpoints,
    ...customEventEndpoints,
    ...attributeEndpoints,
    ...subscriptionEndpoints,
    ...privacyEndpoints,
    ...identityEndpoints,
    exchangeCode,
    ...createOfferEndpoints({ store }),
    ...catalogEndpoints,
    ...createGraphqlEndpoints({ shared: sharedOperations }),
  ];
  const privacyRequests = createPrivacyLifecycle({ store, clock, delays });
  const offers = createLifecycle({ table: offerTable, collection: store.offers, store, clock, delays });
  const catalog = createCatalog({ store, clock, feed, delays, workerUrl });
  const lifecycles = { privacyRequests, offers, uploads: catalog.lifecycle };
  return {
    operations,
    rootOperations: [...createInstallEndpoints({ secret: randomSecret() }), ...shortLinkEndpoints],
    lifecycles,
    catalog,
    savedProducts: { bytes: savedBytes, read: readSavedLines, write: writeSavedLines },
    resume() {
      for (const lifecycle of Object.values(lifecycles)) lifecycle.resume();
    },
    rearm() {
      for (const lifecycle of Object.values(lifecycles)) lifecycle.rearm();
    },
    stop: () => catalog.stop(),
    close: () => catalog.close(),
  };
}

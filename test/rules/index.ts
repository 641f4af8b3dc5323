import { authViolations } from './auth.ts';
import { faultViolations } from './faults.ts';
import { inputViolations } from './input.ts';
import { identityViolations } from './identity.ts';
import { privacyViolations } from './privacy.ts';
import { subscriptionViolations } from './subscriptions.ts';
import { ecommerceViolations } from './ecommerce.ts';
import { customEventViolations } from './custom-events.ts';
import { attributeViolations } from './attributes.ts';
import { graphqlViolations } from './graphql.ts';
import { oauthViolations } from './oauth.ts';
import { offerViolations } from './offers.ts';
import { catalogViolations } from './catalog.ts';
import { messageViolations } from './messages.ts';
import { objectViolations } from './objects.ts';
import type { Violation } from './violation.ts';
import { webhookViolations } from './webhooks.ts';

/** One violation per rule, of every group. */
export const violations: readonly Violation[] = [
  ...inputViolations,
  ...authViolations,
  ...faultViolations,
  ...webhookViolations,
  ...subscriptionViolations,
  ...identityViolations,
  ...privacyViolations,
  ...oauthViolations,
  ...offerViolations,
  ...catalogViolations,
  ...messageViolations,
  ...graphqlViolations,
  ...attributeViolations,
  ...customEventViolations,
  ...ecommerceViolations,
  ...objectViolations,
];

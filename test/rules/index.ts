import { authViolations } from './auth.ts';
import { inputViolations } from './input.ts';
import { identityViolations } from './identity.ts';
import { privacyViolations } from './privacy.ts';
import { subscriptionViolations } from './subscriptions.ts';
import type { Violation } from './violation.ts';
import { webhookViolations } from './webhooks.ts';

/** One violation a rule, of every group. */
export const violations: readonly Violation[] = [
  ...inputViolations,
  ...authViolations,
  ...webhookViolations,
  ...subscriptionViolations,
  ...identityViolations,
  ...privacyViolations,
];

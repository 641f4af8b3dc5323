import { authViolations } from './auth.ts';
import { inputViolations } from './input.ts';
import type { Violation } from './violation.ts';
import { webhookViolations } from './webhooks.ts';

/** One violation a rule, of every group. */
export const violations: readonly Violation[] = [...inputViolations, ...authViolations, ...webhookViolations];

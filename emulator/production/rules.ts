/** What the proxy and the preload of `sandpiper exec --as-production` refuse. */
import { ownRule, type AnyRule } from '../rules.ts';
import { fixHeld, heldRule, sayHeld, type HeldConnection } from './hosts.ts';

const blocked = ownRule<HeldConnection>({
  id: heldRule,
  status: 403,
  says: 'A program that runs as in production reaches no services or ports that send messages or mail to people, and with --offline only this machine.',
  message: sayHeld,
  fix: fixHeld,
});

export const productionRules = { blocked } as const;

/** These rules as a list. */
export const allProductionRules: readonly AnyRule[] = Object.values(productionRules);

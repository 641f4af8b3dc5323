/** The rule by which the proxy and the preload of `sandpiper exec --as-production` block connections. */
import { ownRule } from '../rules.ts';
import { blockedRule, fixBlocked, sayBlocked, type BlockedConnection } from './hosts.ts';

export const productionRules = {
  blocked: ownRule<BlockedConnection>({
    id: blockedRule,
    status: 403,
    says: 'With exec --as-production a program cannot connect to services and ports that send messages or mail to people. With --offline it can connect to this machine only.',
    message: sayBlocked,
    fix: fixBlocked,
  }),
} as const;

import type { Endpoint } from '../../http/endpoint.ts';
import { listEligibilities } from './eligibility.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

/** The operations of this group. */
export const subscriptionEndpoints: readonly Endpoint[] = [subscribe, listEligibilities, unsubscribe];

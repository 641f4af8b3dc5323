import type { Delivery } from '../records.ts';

const names = ['webhookId', 'eventId', 'companyId', 'type'] as const;

/** Which deliveries are meant: those that have all of these. Without any, all deliveries. */
export type Wanted = { readonly [Name in (typeof names)[number]]?: string | undefined };

/** Whether a delivery is one of those: the same for a list as for what is sent again. */
export function isWanted(delivery: Delivery, wanted: Wanted): boolean {
  return names.every((name) => wanted[name] === undefined || wanted[name] === delivery[name]);
}

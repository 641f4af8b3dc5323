import type { Delivery } from '../records.ts';

const names = ['webhookId', 'eventId', 'companyId', 'type'] as const;

/** Which deliveries are wanted: those with all of these values. Without any value, all deliveries. */
export type Wanted = { readonly [Name in (typeof names)[number]]?: string | undefined };

/** Whether a delivery is wanted. Used both for lists and for sending again, so that these agree. */
export function isWanted(delivery: Delivery, wanted: Wanted): boolean {
  return names.every((name) => wanted[name] === undefined || wanted[name] === delivery[name]);
}

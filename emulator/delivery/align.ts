import type { LifecycleFor } from '../machine/lifecycle.ts';
import type { Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { deliveryTable } from './table.ts';

/** Keeps waiting deliveries in line with their webhooks. */
export interface Align {
  /** Updates the deliveries of a webhook that was deleted, disabled or enabled; null: of all webhooks. */
  align(webhookId: string | null): void;
  /** Call it with each change of a webhook. */
  onWebhook(before: Webhook | null, after: Webhook | null): void;
}

/** Creates it over the deliveries of a store. Moves them with `lifecycle`, in one transaction for each call. */
export function createAlign(store: Store, lifecycle: LifecycleFor<typeof deliveryTable>): Align {
  const align: Align['align'] = (webhookId) => {
    const waiting = store.deliveries
      .records()
      .filter((one) => one.webhookId !== null && (webhookId === null || one.webhookId === webhookId));
    store.transact(() => {
      for (const { id, state, history, webhookId: of } of waiting) {
        const webhook = store.webhooks.get(of ?? '');
        const waits = state === 'queued' || state === 'retrying';
        if (!webhook && (waits || state === 'paused'))
          lifecycle.fire(id, 'abandon', { by: 'work', why: 'Its webhook was deleted.' });
        else if (webhook && webhook.disabledAt !== null && waits)
          lifecycle.fire(id, 'pause', { by: 'work', why: 'Its webhook is disabled.' });
        // Deliveries paused by hand are only released by hand.
        else if (webhook?.disabledAt === null && state === 'paused' && history.at(-1)?.by === 'work')
          lifecycle.fire(id, 'resume', { by: 'work' });
      }
    });
  };
  return {
    align,
    onWebhook(before, after) {
      const wasEnabled = before?.disabledAt === null;
      const isEnabled = after?.disabledAt === null;
      if (before === null || (after !== null && wasEnabled === isEnabled)) return;
      // An undo enabled the webhook: earlier failures do not count.
      if (after !== null && isEnabled && after.failingSince !== null)
        store.transact(() => store.webhooks.put({ ...after, failingSince: null }));
      align(before.id);
    },
  };
}

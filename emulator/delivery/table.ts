/** The life of a delivery as a table (section 6; the platform's words for it are those of experience.md). */
import { defineTable, type Source } from '../machine/table.ts';
import type { Delivery, DeliveryEvent, DeliveryState } from '../records.ts';

const retries: Source = { provenance: 'observed', section: '6' };
const ours: Source = { provenance: 'assumed', section: '6' };

export const deliveryTable = defineTable<DeliveryState, DeliveryEvent, Delivery>({
  kind: 'delivery',
  initial: 'queued',
  states: ['queued', 'delivering', 'delivered', 'retrying', 'failed', 'paused'],
  rows: [
    { from: 'queued', event: 'send', to: 'delivering', by: ['work'], why: 'Its turn came.', source: ours },
    { from: 'queued', event: 'pause', to: 'paused', by: ['work', 'hand'], why: 'It is held back, for a disabled webhook or by hand.', source: ours },
    { from: 'queued', event: 'abandon', to: 'failed', by: ['work', 'hand'], why: 'It is given up: its webhook is gone, or a hand did it.', source: retries },
    { from: 'delivering', event: 'accepted', to: 'delivered', by: ['work'], why: 'The receiver answered 2xx.', source: retries },
    { from: 'delivering', event: 'refused', to: 'retrying', by: ['work'], why: 'It was not accepted and is tried again.', source: retries },
    { from: 'delivering', event: 'giveUp', to: 'failed', by: ['work'], why: 'It was not accepted and is not tried again.', source: retries },
    { from: 'delivering', event: 'pause', to: 'paused', by: ['work'], why: 'It was not accepted, and its webhook is disabled.', source: retries },
    { from: 'delivering', event: 'abandon', to: 'failed', by: ['work'], why: 'It was not accepted, and its webhook is gone.', source: retries },
    { from: 'delivering', event: 'interrupted', to: 'queued', by: ['work'], why: 'Sandpiper stopped before the answer came, so it is sent again.', source: ours },
    {
      from: 'retrying',
      event: 'retry',
      to: 'queued',
      by: ['clock', 'hand'],
      until: (delivery) => delivery.nextAttemptAt,
      why: 'The time for the next attempt came.',
      source: retries,
    },
    { from: 'retrying', event: 'pause', to: 'paused', by: ['work', 'hand'], why: 'It is held back, for a disabled webhook or by hand.', source: retries },
    { from: 'retrying', event: 'abandon', to: 'failed', by: ['work', 'hand'], why: 'It is given up: its webhook is gone, or a hand did it.', source: retries },
    { from: 'paused', event: 'resume', to: 'queued', by: ['work', 'hand'], why: 'The webhook is enabled again, or a hand lets it go.', source: ours },
    { from: 'paused', event: 'abandon', to: 'failed', by: ['work', 'hand'], why: 'It is given up: its webhook is gone, or a hand did it.', source: retries },
    { from: 'delivered', event: 'redeliver', to: 'queued', by: ['call', 'hand'], why: 'It is sent once more, with the same event id.', source: ours },
    { from: 'failed', event: 'redeliver', to: 'queued', by: ['call', 'hand'], why: 'It is sent once more, with the same event id.', source: ours },
    { from: 'retrying', event: 'redeliver', to: 'queued', by: ['call', 'hand'], why: 'It is sent now, without waiting, with the same event id.', source: ours },
    { from: 'paused', event: 'redeliver', to: 'queued', by: ['call', 'hand'], why: 'It is sent once more, with the same event id.', source: ours },
  ],
});

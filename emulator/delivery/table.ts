/** The life of a delivery as a table (docs/platform.md, Webhook deliveries; the words are ours). */
import { defineTableOf, type EventOf } from '../machine/table.ts';
import type { Source } from '../records.ts';
import { deliveries } from '../records/deliveries.ts';

const retries: Source = { provenance: 'observed', section: '6' };
const ours: Source = { provenance: 'assumed', section: '6' };

export const deliveryTable = defineTableOf(deliveries, {
  initial: 'queued',
  rows: [
    { from: 'queued', event: 'send', to: 'delivering', by: ['work'], why: 'Its turn came.', source: ours },
    {
      from: 'queued',
      event: 'pause',
      to: 'paused',
      by: ['work', 'hand'],
      why: 'It is paused, for a disabled webhook or by hand.',
      source: ours,
    },
    {
      from: 'queued',
      event: 'abandon',
      to: 'failed',
      by: ['work', 'hand'],
      why: 'It is cancelled: its webhook was deleted, or by hand.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'accepted',
      to: 'delivered',
      by: ['work'],
      why: 'The receiver answered 2xx.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'refused',
      to: 'retrying',
      by: ['work'],
      why: 'It was not accepted and is tried again.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'giveUp',
      to: 'failed',
      by: ['work'],
      why: 'It was not accepted and is not tried again.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'pause',
      to: 'paused',
      by: ['work'],
      why: 'It was not accepted, and its webhook is disabled.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'abandon',
      to: 'failed',
      by: ['work'],
      why: 'It was not accepted, and its webhook was deleted.',
      source: retries,
    },
    {
      from: 'delivering',
      event: 'interrupted',
      to: 'queued',
      by: ['work'],
      why: 'Sandpiper stopped before the reply, so it is sent again.',
      source: ours,
    },
    {
      from: 'retrying',
      event: 'retry',
      to: 'queued',
      by: ['clock', 'hand'],
      until: (delivery) => delivery.nextAttemptAt,
      why: 'The time for the next attempt came.',
      source: retries,
    },
    {
      from: 'retrying',
      event: 'pause',
      to: 'paused',
      by: ['work', 'hand'],
      why: 'It is paused, for a disabled webhook or by hand.',
      source: retries,
    },
    {
      from: 'retrying',
      event: 'abandon',
      to: 'failed',
      by: ['work', 'hand'],
      why: 'It is cancelled: its webhook was deleted, or by hand.',
      source: retries,
    },
    {
      from: 'paused',
      event: 'resume',
      to: 'queued',
      by: ['work', 'hand'],
      why: 'The webhook is enabled again, or it was released by hand.',
      source: ours,
    },
    {
      from: 'paused',
      event: 'abandon',
      to: 'failed',
      by: ['work', 'hand'],
      why: 'It is cancelled: its webhook was deleted, or by hand.',
      source: retries,
    },
    {
      from: 'delivered',
      event: 'redeliver',
      to: 'queued',
      by: ['call', 'hand'],
      why: 'It is sent once more, with the same event id.',
      source: ours,
    },
    {
      from: 'failed',
      event: 'redeliver',
      to: 'queued',
      by: ['call', 'hand'],
      why: 'It is sent once more, with the same event id.',
      source: ours,
    },
    {
      from: 'retrying',
      event: 'redeliver',
      to: 'queued',
      by: ['call', 'hand'],
      why: 'It is sent now, without waiting, with the same event id.',
      source: ours,
    },
    {
      from: 'paused',
      event: 'redeliver',
      to: 'queued',
      by: ['call', 'hand'],
      why: 'It is sent once more, with the same event id.',
      source: ours,
    },
  ],
});

export type DeliveryEvent = EventOf<typeof deliveryTable>;

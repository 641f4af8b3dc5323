import { computed, type ComputedRef } from 'vue';
import type { EventTypeView, NoticeView, WebhookLineView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { readRecords } from '../../live/records.ts';
import { useCompany } from '../../live/company.ts';
import { changesOf, useReading, type Reading } from '../../live/reading.ts';

export interface AppLine {
  readonly id: string;
  readonly name: string;
}

export interface Webhooks extends Reading {
  readonly webhooks: ComputedRef<readonly WebhookLineView[]>;
  readonly apps: ComputedRef<readonly AppLine[]>;
  /** Newest first. */
  readonly notices: ComputedRef<readonly NoticeView[]>;
}

/** The webhooks of the current company, with the platform's notices about them. Follows changes. */
export function useWebhooks(): Webhooks {
  const company = useCompany();
  const { answer, ...reading } = useReading({
    async read() {
      const companyId = company.current?.id;
      if (companyId === undefined) return null;
      const [listed, owned, said] = await Promise.all([
        call('GET /control/webhooks', { query: { companyId } }),
        readRecords('apps', { companyId, last: 1_000 }),
        call('GET /control/notices'),
      ]);
      const notices = said.notices.filter((one) => one.companyId === null || one.companyId === companyId).toReversed();
      return { webhooks: listed.webhooks, apps: owned.records, notices };
    },
    concerns: changesOf('webhooks', 'deliveries', 'platform-notices', 'apps'),
    key: () => company.current?.id,
  });
  return {
    webhooks: computed(() => answer.value?.webhooks ?? []),
    apps: computed(() => answer.value?.apps ?? []),
    notices: computed(() => answer.value?.notices ?? []),
    ...reading,
  };
}

/** The event types, which never change while the server runs. */
export function useEventTypes(): ComputedRef<readonly EventTypeView[]> {
  const { answer } = useReading({ read: () => call('GET /control/event-types'), concerns: null });
  return computed(() => answer.value?.types ?? []);
}

/** Whether a webhook was listed before, and is gone from the list now. */
export function isGone(
  webhookId: string,
  now: readonly WebhookLineView[],
  before: readonly WebhookLineView[],
): boolean {
  const lists = (listed: readonly WebhookLineView[]): boolean => listed.some(({ id }) => id === webhookId);
  return lists(before) && !lists(now);
}

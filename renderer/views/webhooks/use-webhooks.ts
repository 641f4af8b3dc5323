import { shallowRef, type ShallowRef } from 'vue';
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
  readonly webhooks: ShallowRef<readonly WebhookLineView[]>;
  readonly apps: ShallowRef<readonly AppLine[]>;
  /** Newest first. */
  readonly notices: ShallowRef<readonly NoticeView[]>;
}

/** The webhooks of the current company, with the platform's notices about them. Follows changes. */
export function useWebhooks(): Webhooks {
  const company = useCompany();
  const webhooks = shallowRef<readonly WebhookLineView[]>([]);
  const apps = shallowRef<readonly AppLine[]>([]);
  const notices = shallowRef<readonly NoticeView[]>([]);
  const forget = (): void => void ([webhooks.value, apps.value, notices.value] = [[], [], []]);
  const reading = useReading({
    async read() {
      const companyId = company.current?.id;
      if (companyId === undefined) return null;
      return Promise.all([
        call('GET /control/webhooks', { query: { companyId } }),
        readRecords('apps', { companyId, last: 1_000 }),
        call('GET /control/notices'),
      ]);
    },
    show(read) {
      if (read === null) return forget();
      const [listed, owned, said] = read;
      webhooks.value = listed.webhooks;
      apps.value = owned.records;
      notices.value = said.notices
        .filter(({ companyId }) => companyId === null || companyId === company.current?.id)
        .toReversed();
    },
    forget,
    concerns: changesOf('webhooks', 'deliveries', 'platform-notices', 'apps'),
    key: () => company.current?.id,
  });
  return { webhooks, apps, notices, ...reading };
}

/** The event types, which never change while the server runs. */
export function useEventTypes(): ShallowRef<readonly EventTypeView[]> {
  const types = shallowRef<readonly EventTypeView[]>([]);
  useReading({
    read: () => call('GET /control/event-types'),
    show: (read) => (types.value = read.types),
  });
  return types;
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

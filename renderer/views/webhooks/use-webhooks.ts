import { shallowRef, type ShallowRef } from 'vue';
import type { EventTypeView, NoticeView, WebhookLineView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { readRecords, useReading } from '../../live/records.ts';
import { useCompany } from '../../live/company.ts';

export interface AppLine {
  readonly id: string;
  readonly name: string;
}

export interface Webhooks {
  readonly webhooks: ShallowRef<readonly WebhookLineView[]>;
  readonly apps: ShallowRef<readonly AppLine[]>;
  /** Newest first. */
  readonly notices: ShallowRef<readonly NoticeView[]>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  reload(): Promise<void>;
}

/** What the three calls below answer from. */
const followed = new Set(['webhooks', 'deliveries', 'platform-notices', 'apps']);

/** The webhooks of the current company, live, with what the platform has to say about them. */
export function useWebhooks(): Webhooks {
  const company = useCompany();
  const webhooks = shallowRef<readonly WebhookLineView[]>([]);
  const apps = shallowRef<readonly AppLine[]>([]);
  const notices = shallowRef<readonly NoticeView[]>([]);
  const { ready, problem, reload } = useReading(
    async () => {
      const id = company.current?.id;
      if (id === undefined) return;
      const [listed, owned, said] = await Promise.all([
        call('GET /control/webhooks', { query: { companyId: id } }),
        readRecords('apps', { companyId: id, limit: 200 }),
        call('GET /control/notices'),
      ]);
      webhooks.value = listed.webhooks;
      apps.value = owned.records;
      notices.value = said.notices.filter(({ companyId }) => companyId === null || companyId === id).toReversed();
    },
    (message) => message.type === 'records' && message.changes.some(({ kind }) => followed.has(kind)),
    () => company.current?.id,
  );
  return { webhooks, apps, notices, ready, problem, reload };
}

/** The event types never change while the server runs. */
export function useEventTypes(): ShallowRef<readonly EventTypeView[]> {
  const types = shallowRef<readonly EventTypeView[]>([]);
  useReading(
    async () => {
      types.value = (await call('GET /control/event-types')).types;
    },
    () => false,
  );
  return types;
}

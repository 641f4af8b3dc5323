import { shallowRef, type ShallowRef } from 'vue';
import type { EventTypeView, NoticeView, WebhookLineView } from '../../../emulator/control/protocol.ts';
import { control } from '../../live/backend/control.ts';
import { useReading } from '../../live/records.ts';
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
      const of = `companyId=${encodeURIComponent(id)}`;
      const [listed, owned, said] = await Promise.all([
        control<{ readonly webhooks: readonly WebhookLineView[] }>('GET', `webhooks?${of}`),
        control<{ readonly records: readonly AppLine[] }>('GET', `records/apps?${of}&limit=200`),
        control<{ readonly notices: readonly NoticeView[] }>('GET', 'notices'),
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
      types.value = (await control<{ readonly types: readonly EventTypeView[] }>('GET', 'event-types')).types;
    },
    () => false,
  );
  return types;
}

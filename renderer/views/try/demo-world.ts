import type { Kind, RecordOf } from '../../../emulator/control/calls.ts';
import { useNow } from '../../live/now.ts';
import { readRecords } from '../../live/records.ts';
import type { World } from './graphql-samples.ts';

/** The records of a company for generated inputs: its first person with both addresses, unit and webhook. */
export function useWorld(companyId: () => string | null): {
  /** The current records, without those that cannot be read. */
  get(): Promise<World>;
} {
  const now = useNow();
  async function first<K extends Kind>(kind: K, limit: number): Promise<readonly RecordOf<K>[]> {
    try {
      const { records } = await readRecords(kind, { limit, companyId: companyId() ?? undefined });
      return records as readonly RecordOf<K>[];
    } catch {
      // The person has to fill in the values then.
      return [];
    }
  }
  return {
    async get() {
      const [people, units, webhooks] = await Promise.all([
        first('users', 50),
        first('sign-up-units', 50),
        first('webhooks', 1),
      ]);
      const all = people.map(({ addresses }) => ({
        phone: addresses.find(({ channel }) => channel === 'TEXT')?.value ?? null,
        email: addresses.find(({ channel }) => channel === 'EMAIL')?.value ?? null,
      }));
      const person = all.find(({ phone, email }) => phone && email) ?? all[0];
      return {
        phone: person?.phone ?? null,
        email: person?.email ?? null,
        unitId: units[0]?.id ?? null,
        webhookId: webhooks[0]?.id ?? null,
        companyId: companyId(),
        now: new Date(now.virtual).toISOString(),
      };
    },
  };
}

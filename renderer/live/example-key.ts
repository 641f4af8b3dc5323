import type { ComputedRef, ShallowRef } from 'vue';
import type { RecordOf } from '../../emulator/control/calls.ts';
import type { Scope } from '../../emulator/http/scopes.ts';
import { call } from './backend/control.ts';
import { useCompany } from './company.ts';
import { useConnection } from './connection.ts';
import { readRecords } from './records.ts';
import { changesOf, useReading } from './reading.ts';

/** An API key that works in an example. */
export interface ExampleKey {
  readonly key: string;
  /** The key for display: a demo key is public, any other is masked. */
  readonly shown: string;
}

/** Whether a credential is an API key that works and has the scope; null for any scope. */
export function isKeyWith(
  scope: Scope | null,
  { kind, revokedAt, scopes }: Pick<RecordOf<'credentials'>, 'kind' | 'revokedAt' | 'scopes'>,
): boolean {
  return kind === 'api-key' && revokedAt === null && (scope === null || scopes.includes(scope));
}

/** Finds a key of a company with a scope, preferably of the demo data; null if it has none. */
export async function findKey(companyId: string, scope: Scope | null): Promise<ExampleKey | null> {
  const demo = useConnection().welcome?.demoKeys.find(
    (one) => one.companyId === companyId && (scope === null || one.scopes.includes(scope)),
  );
  if (demo) return { key: demo.key, shown: demo.key };
  const { records } = await readRecords('credentials', { last: 1_000, companyId });
  const own = records.find((one) => isKeyWith(scope, one));
  if (!own) return null;
  const { secret } = await call('GET /control/credentials/{id}/secret', { params: { id: own.id } });
  return { key: secret, shown: own.secret };
}

/**
 * Finds a key of the current company, preferably of the demo data. Null if there is no company, or no key with the
 * scope.
 * @param scope the scope that the example needs; null if any key works
 */
export function useExampleKey(scope: Scope | null): {
  readonly example: ShallowRef<ExampleKey | null>;
  readonly ready: ShallowRef<boolean>;
  readonly isRead: ComputedRef<boolean>;
} {
  const connection = useConnection();
  const company = useCompany();
  const {
    answer: example,
    ready,
    isRead,
  } = useReading({
    read: async () => (company.current ? await findKey(company.current.id, scope) : null),
    concerns: changesOf('credentials'),
    key: () => `${company.current?.id} ${connection.welcome?.demoKeys.length}`,
  });
  return { example, ready, isRead };
}

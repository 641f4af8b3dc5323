import type { ShallowRef } from 'vue';
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

/**
 * Finds a key of the current company, preferably of the demo data. Null if there is no company, or no key with the
 * scope.
 * @param scope the scope that the example needs; null if any key works
 */
export function useExampleKey(scope: Scope | null): {
  readonly example: ShallowRef<ExampleKey | null>;
  readonly ready: ShallowRef<boolean>;
} {
  const connection = useConnection();
  const company = useCompany();

  async function find(): Promise<ExampleKey | null> {
    const companyId = company.current?.id;
    if (companyId === undefined) return null;
    const may = ({ scopes }: { readonly scopes: readonly string[] }): boolean =>
      scope === null || scopes.includes(scope);
    const demo = connection.welcome?.demoKeys.find((one) => one.companyId === companyId && may(one));
    if (demo) return { key: demo.key, shown: demo.key };
    const { records } = await readRecords('credentials', { last: 1_000, companyId });
    const own = records.find((one) => one.kind === 'api-key' && one.revokedAt === null && may(one));
    if (!own) return null;
    const { secret } = await call('GET /control/credentials/{id}/secret', { params: { id: own.id } });
    return { key: secret, shown: own.secret };
  }

  const { answer: example, ready } = useReading({
    read: find,
    concerns: changesOf('credentials'),
    key: () => `${company.current?.id} ${connection.welcome?.demoKeys.length}`,
  });
  return { example, ready };
}

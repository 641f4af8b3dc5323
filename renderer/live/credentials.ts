import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useConnection } from './connection.ts';
import { changesOf, whenBack } from './reading.ts';
import { readRecords } from './records.ts';
import { createTurns } from './turns.ts';

export interface Known {
  readonly id: string;
  readonly app: string;
  /** The whole key of the demo data; any other is masked to its last characters. */
  readonly key: string;
}

/** The known credentials, to name the app behind a request. */
export const useCredentials = defineStore('credentials', () => {
  const connection = useConnection();
  const known = shallowRef<ReadonlyMap<string, Known>>(new Map());

  const turns = createTurns();
  async function load(): Promise<void> {
    const isNewest = turns.take();
    const [credentials, apps] = await Promise.all([
      readRecords('credentials', { last: 1_000 }),
      readRecords('apps', { last: 1_000 }),
    ]);
    if (!isNewest()) return;
    const names = new Map(apps.records.map(({ id, name }) => [id, name]));
    known.value = new Map(
      credentials.records.map(({ id, appId, companyId, secret }) => {
        const tail = secret.replaceAll('"', '');
        const whole = connection.welcome?.demoKeys.find(
          (one) =>
            one.companyId === companyId && one.app === names.get(appId) && one.key.endsWith(tail.replace('…', '')),
        );
        return [id, { id, app: names.get(appId) ?? '', key: whole?.key ?? tail }];
      }),
    );
  }

  const mayConcern = changesOf('credentials', 'apps');
  connection.watch((message) => {
    if (message.type === 'reset' || message.type === 'gap' || mayConcern(message)) load().catch(() => {});
  });
  whenBack(() => load().catch(() => {}));

  const of = (id: string | null): Known | null => (id === null ? null : (known.value.get(id) ?? null));
  return { known, of, load };
});

import type { Feed } from './feed.ts';
import { randomSecret } from './ids.ts';
import type { Notice } from './records.ts';
import type { Store } from './store/store.ts';
import { toIso, type Clock } from './time/clock.ts';

/** Stores a notice and shows it to the developer. The same sentence within a minute is shown once. */
export type Notify = (
  level: Notice['level'],
  companyId: string | null,
  text: string,
  about: NonNullable<Notice['about']>,
) => void;

const keptNotices = 200;

/**
 * Creates the function for notices. Notices are records, of which only the newest are kept, and are published on the
 * feed.
 */
export function createNotify({ store, clock, feed }: { store: Store; clock: Clock; feed: Feed }): Notify {
  return (level, companyId, text, about) => {
    const now = clock.now();
    const all = store.platformNotices.records();
    const recent = all.findLast((one) => one.text === text);
    if (recent && Math.abs(now - Date.parse(recent.at)) < 60_000) return;
    store.transact(() => {
      for (const old of all.slice(0, Math.max(0, all.length + 1 - keptNotices))) store.platformNotices.delete(old.id);
      store.platformNotices.put({ id: `ntc_${randomSecret(9)}`, companyId, at: toIso(now), level, text, about });
    });
    feed.publish({ type: 'notice', level, text });
  };
}

import { toIso, type Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import { randomSecret } from '../ids.ts';
import type { Notice } from '../records.ts';
import type { Store } from '../store/store.ts';

/** Tells the developer something; the same sentence within a minute is told once. */
export type Notify = (level: Notice['level'], companyId: string | null, text: string) => void;

/** Creates the teller. Notices are kept, the newest `kept` of them, and go to whoever watches. */
export function createNotify({
  store,
  clock,
  feed,
  kept,
}: {
  store: Store;
  clock: Clock;
  feed: Feed;
  kept: number;
}): Notify {
  return (level, companyId, text) => {
    const now = clock.now();
    const all = [...store.platformNotices.all()];
    const recent = all.findLast((one) => one.text === text);
    if (recent && Math.abs(now - Date.parse(recent.at)) < 60_000) return;
    store.transact(() => {
      for (const old of all.slice(0, Math.max(0, all.length + 1 - kept))) store.platformNotices.delete(old.id);
      store.platformNotices.put({ id: `ntc_${randomSecret(9)}`, companyId, at: toIso(now), level, text });
    });
    feed.publish({ type: 'notice', level, text });
  };
}

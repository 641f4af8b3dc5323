import { randomSecret } from './ids.ts';
import type { Notice } from './records.ts';
import type { Store } from './store/store.ts';
import { toIso, type Clock, type JumpProgress } from './time/clock.ts';

/** What watchers hear of. Nothing that must happen hangs on it: what must happen is a direct call. */
export type FeedEvent =
  | { readonly type: 'request'; readonly id: string }
  | { readonly type: 'records'; readonly changes: readonly { readonly collection: string; readonly id: string }[] }
  | {
      readonly type: 'progress';
      readonly collection: string;
      readonly id: string;
      readonly done: number;
      readonly of: number;
    }
  | { readonly type: 'jump'; readonly jump: JumpProgress | null }
  | { readonly type: 'reset' }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };

/** Many watchers of one stream of events. */
export interface Feed {
  publish(event: FeedEvent): void;
  subscribe(watcher: (event: FeedEvent) => void): () => void;
  readonly watched: boolean;
}

/** Creates a feed. A watcher that throws is taken off, and stops nobody else. */
export function createFeed(): Feed {
  const watchers = new Set<(event: FeedEvent) => void>();
  return {
    publish(event) {
      for (const watcher of watchers) {
        try {
          watcher(event);
        } catch {
          watchers.delete(watcher);
        }
      }
    },
    subscribe(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    get watched() {
      return watchers.size > 0;
    },
  };
}

/** Tells the developer something that is worth knowing later too; the same sentence within a minute is told once. */
export type Notify = (level: Notice['level'], companyId: string | null, text: string) => void;

const keptNotices = 200;

/** Creates the teller. Notices are records, of which the newest are kept, and go to whoever watches. */
export function createNotify({ store, clock, feed }: { store: Store; clock: Clock; feed: Feed }): Notify {
  return (level, companyId, text) => {
    const now = clock.now();
    const all = [...store.platformNotices.all()];
    const recent = all.findLast((one) => one.text === text);
    if (recent && Math.abs(now - Date.parse(recent.at)) < 60_000) return;
    store.transact(() => {
      for (const old of all.slice(0, Math.max(0, all.length + 1 - keptNotices))) store.platformNotices.delete(old.id);
      store.platformNotices.put({ id: `ntc_${randomSecret(9)}`, companyId, at: toIso(now), level, text });
    });
    feed.publish({ type: 'notice', level, text });
  };
}

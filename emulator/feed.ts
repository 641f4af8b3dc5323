import type { Exchange } from './http/record/exchange.ts';
import type { CollectionName, Notice } from './records.ts';
import type { JumpProgress } from './time/clock.ts';

/** Events for watchers. No required effect depends on the feed: those are caused by direct calls. */
export type FeedEvent =
  /** `exchange` is the request as it was handled: unlike the recorded one, it needs no decoding. */
  | { readonly type: 'request'; readonly exchange: Exchange }
  | { readonly type: 'changes'; readonly changes: readonly Changed[] }
  | {
      readonly type: 'progress';
      readonly collection: string;
      readonly id: string;
      readonly work: 'check' | 'xray';
      readonly done: number;
      readonly of: number;
      readonly lines: number;
      readonly errors: number;
    }
  | { readonly type: 'jump'; readonly jump: JumpProgress | null }
  /** All records, or the list of requests, were replaced. */
  | { readonly type: 'reset' }
  /** The server is stopping normally. */
  | { readonly type: 'end' }
  | { readonly type: 'notice'; readonly level: Notice['level']; readonly text: string };

/** A record that changed, or something else that the inspector shows and reads again. */
interface Changed {
  readonly collection: CollectionName | 'activities' | 'faults' | 'limits' | 'ownErrors' | 'receiver' | 'snapshots';
  readonly id: string;
}

/** Many watchers of one stream of events. */
export interface Feed {
  publish(event: FeedEvent): void;
  subscribe(watcher: (event: FeedEvent) => void): () => void;
  readonly watched: boolean;
  /** Whether the server is stopping. */
  readonly hasEnded: boolean;
}

/** Creates a feed. A watcher that throws is removed; the others are still called. */
export function createFeed(): Feed {
  const watchers = new Set<(event: FeedEvent) => void>();
  let hasEnded = false;
  return {
    publish(event) {
      hasEnded ||= event.type === 'end';
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
    get hasEnded() {
      return hasEnded;
    },
  };
}

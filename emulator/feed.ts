import type { JumpProgress } from './time/clock.ts';

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

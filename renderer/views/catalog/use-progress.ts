import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { useConnection } from '../../live/connection.ts';
import type { Progress } from './states.ts';

/** How far the checks of files came, by upload, as the stream reports it. */
export function useProgress(): ShallowRef<ReadonlyMap<string, Progress>> {
  const connection = useConnection();
  const progress = shallowRef<ReadonlyMap<string, Progress>>(new Map());
  const unwatch = connection.watch((message) => {
    if (message.type === 'reset') progress.value = new Map();
    if (message.type !== 'progress' || message.kind !== 'uploads') return;
    progress.value = new Map(progress.value).set(message.id, { done: message.done, of: message.of });
  });
  onScopeDispose(unwatch);
  return progress;
}

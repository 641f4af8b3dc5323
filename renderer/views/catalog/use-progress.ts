import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../../emulator/control/calls.ts';
import { useConnection } from '../../live/connection.ts';
import type { CheckProgress } from './states.ts';

/** The progress of the checks (or X-rays) of files by upload, as the stream reports it. */
export function useProgress(
  wanted: Extract<StreamMessage, { readonly type: 'progress' }>['work'],
): ShallowRef<ReadonlyMap<string, CheckProgress>> {
  const connection = useConnection();
  const progress = shallowRef<ReadonlyMap<string, CheckProgress>>(new Map());
  /** The time and the progress at the first message about a check. */
  const first = new Map<string, { readonly at: number; readonly done: number }>();

  function leftOf(id: string, done: number, of: number): number | null {
    const at = performance.now();
    const before = first.get(id);
    if (!before || before.done > done) {
      first.set(id, { at, done });
      return null;
    }
    const [ms, bytes] = [at - before.at, done - before.done];
    return ms < 300 || bytes === 0 ? null : ((of - done) * ms) / bytes;
  }

  const unwatch = connection.watch((message) => {
    if (message.type === 'reset') {
      progress.value = new Map();
      first.clear();
    }
    if (message.type !== 'progress' || message.kind !== 'uploads' || message.work !== wanted) return;
    const { id, done, of, lines, errors } = message;
    progress.value = new Map(progress.value).set(id, { done, of, lines, errors, leftMs: leftOf(id, done, of) });
  });
  onScopeDispose(unwatch);
  return progress;
}

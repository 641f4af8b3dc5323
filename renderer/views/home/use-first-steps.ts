import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref } from 'vue';
import type { FirstStepsView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useConnection } from '../../live/connection.ts';
import { createReadSoon } from '../../live/read-soon.ts';

/** The first steps that the server has seen. Read again soon after any event, until all are done. */
export function useFirstSteps(): Ref<FirstStepsView | null> {
  const connection = useConnection();
  const seen = shallowRef<FirstStepsView | null>(null);
  // The banner reports a lost connection. The shown steps stay.
  const read = createReadSoon(async () => {
    const answer = await call('GET /control/first-steps').catch(() => null);
    if (answer) seen.value = answer;
  }, 300);
  const isDone = (): boolean => seen.value !== null && Object.values(seen.value).every((at) => at !== null);

  onMounted(read);
  onBeforeUnmount(connection.watch(({ type }) => void ((type === 'reset' || !isDone()) && read())));
  watch([() => connection.phase, () => connection.clock?.mode], () => void read());
  return seen;
}

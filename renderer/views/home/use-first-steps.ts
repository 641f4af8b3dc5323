import type { Ref } from 'vue';
import type { FirstStepsView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useConnection } from '../../live/connection.ts';
import { useReading } from '../../live/reading.ts';

/** The first steps that the server has seen. Read again soon after any event, until all are done. */
export function useFirstSteps(): Ref<FirstStepsView | null> {
  const connection = useConnection();
  const { answer } = useReading({
    read: () => call('GET /control/first-steps'),
    concerns: (): boolean => answer.value === null || Object.values(answer.value).includes(null),
    key: () => connection.clock?.mode,
    pause: 300,
  });
  return answer;
}

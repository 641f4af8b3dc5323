import { shallowRef, type ShallowRef } from 'vue';
import type { ReceiverView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { changesOf, useReading } from '../../live/reading.ts';

/** The built-in receiver. It is read again when deliveries change, with the requests that it received. */
export function useReceiver(): {
  readonly receiver: ShallowRef<ReceiverView | null>;
  reload(): Promise<void>;
} {
  const receiver = shallowRef<ReceiverView | null>(null);
  const { reload } = useReading({
    read: () => call('GET /control/receiver'),
    show: (read) => (receiver.value = read),
    concerns: changesOf('deliveries', 'receiver'),
  });
  return { receiver, reload };
}

import { shallowRef, type ShallowRef } from 'vue';
import type { ReceiverView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useReading } from '../../live/records.ts';

/** The built-in receiver. What it received is read again when deliveries move. */
export function useReceiver(): {
  readonly receiver: ShallowRef<ReceiverView | null>;
  reload(): Promise<void>;
} {
  const receiver = shallowRef<ReceiverView | null>(null);
  const { reload } = useReading(
    async () => void (receiver.value = await call('GET /control/receiver')),
    (message) =>
      message.type === 'records' && message.changes.some(({ kind }) => kind === 'deliveries' || kind === 'receiver'),
  );
  return { receiver, reload };
}

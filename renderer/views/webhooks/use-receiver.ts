import { call } from '../../live/backend/control.ts';
import { changesOf, useReading } from '../../live/reading.ts';

/** The built-in receiver. It is read again when deliveries change, with the requests that it received. */
export function useReceiver() {
  const { answer: receiver, reload } = useReading({
    read: () => call('GET /control/receiver'),
    concerns: changesOf('deliveries', 'receiver'),
  });
  return { receiver, reload };
}

import type { DeliveryDetailView, ReceiverView } from '../../../emulator/control/calls.ts';
import { useServerUndo } from '../../live/reported.ts';
import { toMs } from '../../format.ts';
import { useToasts } from '../../kit/toasts.ts';

/** The behaviour of the built-in receiver that repeats the result of a delivery's newest attempt. */
type Behaviour = Pick<ReceiverView['behaviour'], 'connection' | 'status' | 'delayMs'>;

/** The longest delay of the built-in receiver. Every sender of ours gives up earlier. */
const longestDelayMs = 60_000;
/** An attempt without an answer for this long ended with a timeout. */
const tooLongMs = 10_000;

/** @returns the behaviour, or a sentence that says why the built-in receiver cannot repeat it */
export function toBehaviour({ attempts, asksReach, connectionFailure }: DeliveryDetailView): Behaviour | string {
  const last = attempts.at(-1);
  if (!last || asksReach !== null) return 'Nothing has been sent yet, so there is no answer to repeat.';
  const { response, durationMs } = last;
  const delayMs = Math.min(longestDelayMs, Math.round(durationMs));
  if (connectionFailure !== null) return { connection: connectionFailure, status: 200, delayMs };
  if (response && response.status >= 200 && response.status <= 599)
    return { connection: 'answered', status: response.status, delayMs };
  if (response === null && durationMs >= tooLongMs)
    return { connection: 'answered', status: 200, delayMs: longestDelayMs };
  return 'It was not sent to an address, so there is nothing that the built-in receiver could do the same way.';
}

function sayBehaviour({ connection, status, delayMs }: Behaviour): string {
  if (connection === 'refused') return 'refuses connections';
  if (connection === 'reset') return 'closes connections without an answer';
  return delayMs >= longestDelayMs ? 'answers too late' : `answers ${status} after ${toMs(delayMs)} ms`;
}

/** Makes the built-in receiver behave that way. Undo restores its previous behaviour, or stops it. */
export async function repeatAnswer(behaviour: Behaviour, changed: () => unknown): Promise<void> {
  const server = useServerUndo(changed);
  const report = useToasts().begin();
  await server.call('POST /control/receiver', { body: behaviour });
  changed();
  report.say(`The built-in receiver ${sayBehaviour(behaviour)} from now on`, server.undo);
}

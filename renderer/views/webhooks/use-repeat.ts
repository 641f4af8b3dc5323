import type { DeliveryDetailView } from '../../../emulator/control/protocol.ts';
import { call } from '../../live/backend/control.ts';
import { toMs } from '../../format.ts';
import { useToasts } from '../../kit/toasts.ts';

/** How the built-in receiver has to answer so that a delivery fares as this one did at its newest attempt. */
type Behaviour = { readonly status: number; readonly delayMs: number };

/** The built-in receiver waits no longer than that; every sender of ours gives up before. */
const longestDelayMs = 60_000;
/** An attempt that took so long without an answer ended because it took too long. */
const tooLongMs = 10_000;

/** @returns the behaviour, or a sentence that says why the built-in receiver cannot do that */
export function toBehaviour({ attempts, asksReach }: DeliveryDetailView): Behaviour | string {
  const last = attempts.at(-1);
  if (!last || asksReach !== null) return 'Nothing was sent yet, so there is no answer to repeat.';
  const { response, durationMs } = last;
  if (response && response.status >= 200 && response.status <= 599)
    return { status: response.status, delayMs: Math.min(longestDelayMs, Math.round(durationMs)) };
  if (response === null && durationMs >= tooLongMs) return { status: 200, delayMs: longestDelayMs };
  return 'There was no answer, and the built-in receiver always gives one.';
}

/** Makes the built-in receiver answer so; undo restores how it was, or stops it. */
export async function repeatAnswer({ status, delayMs }: Behaviour, changed: () => unknown): Promise<void> {
  const before = await call('GET /control/receiver');
  await call('POST /control/receiver', { body: { status, delayMs } });
  changed();
  useToasts().say(
    delayMs >= longestDelayMs
      ? 'The built-in receiver answers too late from now on'
      : `The built-in receiver answers ${status} after ${toMs(delayMs)} ms from now on`,
    async () => {
      if (before.running) await call('POST /control/receiver', { body: before.behaviour });
      else await call('DELETE /control/receiver');
      changed();
    },
  );
}

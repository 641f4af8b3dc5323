import { UserError } from '../errors.ts';
import { createClock } from '../time/clock.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toLength, UsageError } from './usage.ts';

export interface ReadyOptions extends ConnectOptions {
  /** How long to wait for the emulator, such as `30s`; without it, the emulator is asked once. */
  readonly wait?: string;
}

/** The wait between two requests, in milliseconds. */
const intervalMs = 100;

/**
 * How long an answer may take, in milliseconds: a server that accepts a connection but does not answer is not ready.
 */
const patienceMs = 5_000;

/**
 * `sandpiper ready`: ends with 0 once an emulator answers, for scripts that start one in the background.
 * @throws UserError with the reason if none answers in time
 */
export async function ready(options: ReadyOptions): Promise<void> {
  const clock = createClock();
  // Monotonic, because the clock of a machine may be set while the machine starts.
  const until = clock.monotonic() + (options.wait === undefined ? 0 : toLength('--wait', options.wait));
  for (;;) {
    const leftMs = until - clock.monotonic();
    const signal = AbortSignal.timeout(leftMs > 0 ? Math.ceil(Math.min(leftMs, patienceMs)) : patienceMs);
    try {
      const client = connect({ ...options, signal });
      const { apiUrl } = await client.call('GET /control/health');
      return print(options, { ready: true, apiUrl, inspectorUrl: client.page }, `Ready: ${apiUrl}`);
    } catch (error) {
      const isOurs = error instanceof UserError && !(error instanceof UsageError);
      if (!isOurs || clock.monotonic() + intervalMs > until) throw error;
      await clock.sleepWall(intervalMs);
    }
  }
}

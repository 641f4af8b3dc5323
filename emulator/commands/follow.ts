import type { StreamMessage } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { ControlRefusal } from '../control/client/control-refusal.ts';
import { UserError } from '../errors.ts';

/** The message of a command that follows a server, when the server is stopped normally. */
export function sayEnded({ page }: Pick<ControlClient, 'page'>): string {
  return `The Sandpiper at ${page} has ended.`;
}

/** The message of such a command when the server is gone without saying that it ends. */
export function sayLost({ page }: Pick<ControlClient, 'page'>): string {
  return `The connection to the Sandpiper at ${page} was lost.`;
}

/**
 * Passes on each message of the stream until the signal aborts or the server says that it ends.
 * @returns whether the server said so
 * @throws UserError if the server is gone without saying so: it was killed, or the connection is broken
 */
export async function follow(
  client: ControlClient,
  signal: AbortSignal,
  hear: (message: StreamMessage) => Promise<void>,
  lastEventId?: string,
): Promise<boolean> {
  let hasEnded = false;
  let failure: UserError | null = null;
  for await (const message of client.stream(signal, lastEventId)) {
    hasEnded ||= message.type === 'end';
    try {
      await hear(message);
    } catch (error) {
      // If the server no longer answers, the stream ends too, and says whether the server was stopped normally.
      if (!(error instanceof UserError) || error instanceof ControlRefusal) throw error;
      failure ??= error;
      continue;
    }
    // The server answers again, so a message was missed.
    if (failure !== null && !hasEnded) throw failure;
  }
  if (!hasEnded && !signal.aborted) throw failure ?? new UserError(sayLost(client));
  return hasEnded;
}

import type { DeliveryDetailView } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { ControlRefusal } from '../control/client/control-refusal.ts';
import { UserError } from '../errors.ts';
import { createClock } from '../time/clock.ts';
import type { ConnectOptions } from './connect.ts';
import { sayEnded, sayLost } from './follow.ts';
import { createDeliveryTeller, isUnderWay, type DeliveryFacts } from './lines.ts';
import { toScreen, wrap } from './terminal.ts';

/** Whether the newest attempt of a delivery is over. */
export const isTried = (delivery: DeliveryFacts): boolean => !isUnderWay(delivery);

/** Whether a delivery is not tried again by itself. If its receiver fails, it is tried for three days. */
export const isSettled = ({ state }: DeliveryFacts): boolean => ['delivered', 'failed', 'paused'].includes(state);

interface Awaiting {
  readonly isOver: (delivery: DeliveryFacts) => boolean;
  /** Called with each delivery that was read and is not over. */
  readonly onWaiting?: ((delivery: DeliveryDetailView) => Promise<void>) | undefined;
  /** Milliseconds to wait at most. Deliveries that are not over by then are returned as they are. */
  readonly mostMs?: number | undefined;
}

/** A delivery that was sent. After a reset or a restore, another delivery may have its id. */
type Sent = Pick<DeliveryDetailView, 'id' | 'eventId' | 'createdAt'>;

/** Waits until each of these deliveries is over. @throws UserError if one is removed meanwhile, or if the server ends */
export async function awaitDeliveries(
  client: ControlClient,
  sent: readonly Sent[],
  { isOver, onWaiting, mostMs }: Awaiting,
): Promise<readonly DeliveryDetailView[]> {
  const found = new Map<string, DeliveryDetailView>();
  const waiting = new Set(sent);
  const look = async (one: Sent): Promise<void> => {
    const delivery = await read(client, one);
    found.set(one.id, delivery);
    if (isOver(delivery)) waiting.delete(one);
    else await onWaiting?.(delivery);
  };
  const stop = new AbortController();
  const cancel = mostMs === undefined ? undefined : createClock().afterWall(mostMs, () => stop.abort());
  try {
    const messages = client.stream(stop.signal);
    const toNext = (): ReturnType<typeof messages.next> => {
      const next = messages.next();
      // The stream may fail while a state is read; that read then fails too, and says so.
      next.catch(() => undefined);
      return next;
    };
    // The stream is opened before the states are read, so that no move is missed in between.
    let message = toNext();
    let hasEnded = false;
    for (const one of sent) await look(one);
    while (waiting.size > 0) {
      const { value, done } = await message;
      if (done && !stop.signal.aborted) throw new UserError(hasEnded ? sayEnded(client) : sayLost(client));
      if (done) break;
      hasEnded ||= value.type === 'end';
      // A reset or an undo names no records, and a gap does not say what it left out.
      const isAll = value.type === 'reset' || value.type === 'gap';
      const moved = value.type === 'changes' ? new Set(value.changes.map(({ id }) => id)) : new Set<string>();
      for (const one of waiting) if (isAll || moved.has(one.id)) await look(one);
      message = toNext();
    }
    return sent.flatMap(({ id }) => found.get(id) ?? []);
  } finally {
    cancel?.();
    stop.abort();
  }
}

/** A delivery as it is now; null if it no longer exists: a reset or an undo removed it. */
export async function readDelivery(client: ControlClient, id: string): Promise<DeliveryDetailView | null> {
  try {
    return await client.call('GET /control/deliveries/{id}', { params: { id } });
  } catch (error) {
    if (error instanceof ControlRefusal && error.status === 404) return null;
    throw error;
  }
}

async function read(client: ControlClient, { id, eventId, createdAt }: Sent): Promise<DeliveryDetailView> {
  const found = await readDelivery(client, id);
  if (found?.eventId === eventId && found.createdAt === createdAt) return found;
  throw new UserError(`The delivery ${id} is gone: a reset or an undo removed it before its receiver had accepted it.`);
}

/** Says on standard error that the command waits, unless the output is for a program. */
export function sayWaiting({ json, terminal: { stderr } }: ConnectOptions): void {
  if (!json) stderr.write('Waiting for the receiver. Ctrl+C ends the waiting, not the delivery.\n');
}

/**
 * Reports each failed attempt on standard error while a command waits, and explains once how to get to the next
 * attempt.
 */
export function tellAttempts(
  client: ControlClient,
  { terminal: { stderr } }: ConnectOptions,
): (delivery: DeliveryDetailView) => Promise<void> {
  const screen = toScreen(stderr, process.env);
  const tell = createDeliveryTeller(screen);
  let isHinted = false;
  return async (delivery) => {
    for (const line of tell(delivery.id, delivery)) stderr.write(`${line}\n`);
    const { state, nextAttemptAt } = delivery;
    if (isHinted || state !== 'retrying' || nextAttemptAt === null) return;
    isHinted = true;
    const { mode } = await client.call('GET /control/clock');
    const head = mode === 'frozen' ? 'The clock is frozen, so the next attempt waits for you: ' : '';
    const hint = `${head}"sandpiper advance --to ${nextAttemptAt}" moves the clock to the next attempt.`;
    stderr.write(`${wrap(hint, screen)}\n`);
  };
}

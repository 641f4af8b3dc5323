import { isUnsafeName } from '../contract/unsafe-names.ts';
import type { DeliveryDetailView, EventTypeView } from '../control/calls.ts';
import type { ControlClient } from '../control/client.ts';
import { ControlRefusal } from '../control/control-refusal.ts';
import { toPrintable } from '../control/printable.ts';
import { UserError } from '../errors.ts';
import { connect, printExactly, printPainted, type ConnectOptions } from './connect.ts';
import { toDeliveryLine, type DeliveryFacts } from './lines.ts';
import { screenOf, paint } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

export interface TriggerOptions extends ConnectOptions {
  readonly to?: string;
  readonly set?: readonly string[];
  readonly phone?: string;
  readonly email?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
}

/** `sandpiper trigger EVENT`: fires an event as the platform would, and says what the receiver answered. */
export async function trigger(type: EventTypeView['type'], options: TriggerOptions): Promise<void> {
  const client = connect(options);
  const { to, phone, email, dryRun } = options;
  const subscriber = phone !== undefined ? { phone } : email !== undefined ? { email } : undefined;
  const input = {
    type,
    payload: toPayload(options.set ?? []),
    ...(subscriber ? { subscriber } : {}),
    ...(to === undefined ? {} : { to }),
    ...(dryRun ? { dryRun } : {}),
  };
  const fired = await client.call('POST /control/trigger', { body: input });
  if (dryRun) {
    const head = Object.entries(fired.headers).map(([name, value]) => `${name}: ${value}`);
    return printExactly(options, fired, [...head, '', fired.body, '', fired.signedBy].join('\n'));
  }
  const isSlow = fired.deliveries.some(isUnderWay);
  if (isSlow && !options.json)
    options.terminal.stderr.write('Waiting for the receiver. Ctrl+C ends the waiting, not the delivery.\n');
  const deliveries =
    isSlow || options.wait
      ? await Promise.all(fired.deliveries.map(({ id }) => waitUntil(client, id, options.wait ? isSettled : isTried)))
      : fired.deliveries;
  const lines = deliveries.map((delivery) => toDeliveryLine(delivery, screenOf(options.terminal)));
  printPainted(
    options,
    { ...fired, deliveries },
    (lines.length > 0 && [...lines, toPrintable(fired.signedBy)].join('\n')) ||
      paint(
        [[`${type} was not sent: no enabled webhook lists it. Name a receiver with --to.`]],
        screenOf(options.terminal),
      ),
  );
  const isFine = (delivery: DeliveryFacts): boolean => delivery.state === 'delivered' || isUnderWay(delivery);
  if (deliveries.length === 0 || !deliveries.every(isFine)) options.terminal.exitCode = exitCodes.notDone;
}

const isUnderWay = ({ state }: DeliveryFacts): boolean => state === 'queued' || state === 'delivering';
const isTried = (delivery: DeliveryFacts): boolean => !isUnderWay(delivery);
/** A receiver that fails is tried for three days. */
const isSettled = ({ state }: DeliveryFacts): boolean => ['delivered', 'failed', 'paused'].includes(state);

/** @throws UserError if the delivery is removed meanwhile */
async function waitUntil(
  client: ControlClient,
  id: string,
  isOver: (delivery: DeliveryFacts) => boolean,
): Promise<DeliveryDetailView> {
  const read = async (): Promise<DeliveryDetailView> => {
    try {
      return await client.call('GET /control/deliveries/{id}', { params: { id } });
    } catch (error) {
      if (!(error instanceof ControlRefusal) || error.status !== 404) throw error;
      throw new UserError(
        `The delivery ${id} is gone: a reset or an undo removed it before its receiver had accepted it.`,
      );
    }
  };
  const stop = new AbortController();
  try {
    const messages = client.stream(stop.signal);
    // The stream is opened before the state is read, so that no move is missed in between.
    const opened = messages.next();
    let delivery = await read();
    let message = opened;
    while (!isOver(delivery)) {
      const { value, done } = await message;
      if (done) break;
      // A reset or an undo names no records, and what a gap left out is not known.
      const mayHaveMoved =
        value.type === 'records'
          ? value.changes.some((change) => change.id === id)
          : value.type === 'reset' || value.type === 'gap';
      if (mayHaveMoved) delivery = await read();
      message = messages.next();
    }
    return delivery;
  } finally {
    stop.abort();
  }
}

/** `subscriber.phone=+15555550100` for each; a value that is JSON is read as JSON. */
function toPayload(settings: readonly string[]): { readonly [key: string]: unknown } {
  const payload: Record<string, unknown> = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at < 1)
      throw new UsageError(
        `--set takes path=value, such as subscription.type=TRANSACTIONAL; ${JSON.stringify(setting)} has no equals sign.`,
      );
    const keys = setting.slice(0, at).split('.');
    if (keys.some(isUnsafeName)) throw new UsageError(`--set ${setting.slice(0, at)} is no path of a payload.`);
    const last = keys.pop() ?? '';
    let inner = payload;
    for (const key of keys) {
      const found = (inner[key] ??= {});
      if (typeof found !== 'object' || Array.isArray(found))
        throw new UsageError(
          `--set ${setting.slice(0, at)} finds no field: ${JSON.stringify(key)} is already set to ${JSON.stringify(found)}.`,
        );
      inner = found as Record<string, unknown>;
    }
    inner[last] = toValue(setting.slice(at + 1));
  }
  return payload;
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { FaultView } from '../control/protocol.ts';
import { UserError } from '../errors.ts';
import { toPrintable } from '../printable.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toDeliveryLine, type DeliveryLine } from './lines.ts';

export interface TriggerOptions extends ConnectOptions {
  readonly to?: string;
  readonly set?: readonly string[];
  readonly phone?: string;
  readonly email?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
}

interface Triggered {
  readonly eventId: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly deliveries: readonly DeliveryLine[];
}

/** `sandpiper trigger EVENT`: fires an event as the platform would, and says what the receiver answered. */
export async function trigger(type: string, options: TriggerOptions): Promise<void> {
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
  const fired = await client.post<Triggered>('/control/trigger', input);
  if (dryRun) {
    const head = Object.entries(fired.headers).map(([name, value]) => `${name}: ${value}`);
    return print(options, fired, toPrintable([...head, '', fired.body].join('\n')));
  }
  const deliveries = options.wait
    ? await Promise.all(fired.deliveries.map(({ id }) => waitUntilSettled(client, id)))
    : fired.deliveries;
  const lines = deliveries.map(toDeliveryLine);
  print(
    options,
    { ...fired, deliveries },
    lines.length > 0
      ? lines.join('\n')
      : `${type} went to nobody: no enabled webhook lists it. Name a receiver with --to.`,
  );
  if (deliveries.some(({ state }) => state !== 'delivered' && state !== 'queued' && state !== 'delivering'))
    process.exitCode = 1;
}

/** Deliveries are settled once they are delivered or failed; a receiver that fails is tried for three days. */
async function waitUntilSettled(client: ReturnType<typeof connect>, id: string): Promise<DeliveryLine> {
  const path = `/control/deliveries/${encodeURIComponent(id)}`;
  const stop = new AbortController();
  try {
    const messages = client.stream<{ readonly type: string; readonly changes?: readonly { readonly id: string }[] }>(
      stop.signal,
    );
    // The stream is opened before the state is read, so that no move is missed in between.
    const opened = messages.next();
    let delivery = await client.get<DeliveryLine>(path);
    let message = opened;
    while (!['delivered', 'failed', 'paused'].includes(delivery.state)) {
      const { value, done } = await message;
      if (done) break;
      if (value.changes?.some((change) => change.id === id)) delivery = await client.get<DeliveryLine>(path);
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
      throw new UserError(
        `--set takes path=value, such as subscription.type=TRANSACTIONAL; ${JSON.stringify(setting)} has no equals sign.`,
      );
    const keys = setting.slice(0, at).split('.');
    if (keys.some((key) => key === '__proto__' || key === 'constructor'))
      throw new UserError(`--set ${setting.slice(0, at)} is no path of a payload.`);
    const last = keys.pop() ?? '';
    let inner = payload;
    for (const key of keys) inner = (inner[key] ??= {}) as Record<string, unknown>;
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

export interface AdvanceOptions extends ConnectOptions {
  readonly to?: string;
  readonly rewind?: boolean;
}

/** `sandpiper advance DURATION | --to TIME | --rewind`: moves the virtual clock, and says what fell due. */
export async function advance(duration: string | undefined, options: AdvanceOptions): Promise<void> {
  const wanted = [
    ...(duration === undefined ? [] : [{ advance: duration }]),
    ...(options.to === undefined ? [] : [{ set: options.to }]),
    ...(options.rewind ? [{ rewind: true }] : []),
  ];
  if (wanted.length !== 1)
    throw new UserError('Say one of: a duration such as 30d or 12h, --to with a time, or --rewind.');
  const answer = await connect(options).post<{
    readonly mode: string;
    readonly now: string;
    readonly fired?: readonly { readonly label: string; readonly at: string | number }[];
  }>('/control/clock', wanted[0]);
  const fired = answer.fired ?? [];
  print(
    options,
    answer,
    toPrintable(
      [`It is ${answer.now} (${answer.mode}).`, ...fired.map(({ label }) => `  fell due: ${label}`)].join('\n'),
    ),
  );
}

/** `sandpiper fire KIND ID EVENT`: moves a record by hand. */
export async function fire(kind: string, id: string, event: string, options: ConnectOptions): Promise<void> {
  const view = await connect(options).post<{ readonly state: string }>(
    `/control/records/${encodeURIComponent(kind)}/${encodeURIComponent(id)}/moves`,
    { event },
  );
  print(options, view, toPrintable(`${kind} ${id} is ${view.state}.`));
}

export interface FaultOptions extends ConnectOptions {
  readonly status?: string;
  readonly retryAfter?: string;
  readonly delay?: string;
  readonly cut?: string | true;
  readonly reset?: boolean;
  readonly after?: boolean;
  readonly times?: string;
  readonly every?: string;
}

/** `sandpiper fault OPERATION`: asks for a fault; without an operation it lists them. */
export async function addFault(operation: string | undefined, options: FaultOptions): Promise<void> {
  const client = connect(options);
  if (operation === undefined) {
    const { faults } = await client.get<{ readonly faults: readonly FaultView[] }>('/control/faults');
    const lines = faults.map(
      ({ id, says, active, hits }) => `${id}  ${says}  ${active ? `struck ${hits} times` : 'used up'}`,
    );
    return print(options, faults, toPrintable(lines.join('\n') || 'No fault waits.'));
  }
  const { status, retryAfter, delay, cut, reset, after, times, every } = options;
  const fault = await client.post<FaultView>('/control/faults', {
    operation,
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }),
    ...(delay === undefined ? {} : { delay }),
    ...(cut === undefined ? {} : { cut: cut === true ? true : Number(cut) }),
    ...(reset ? { reset: true } : {}),
    ...(after ? { after: true } : {}),
    ...(times === undefined ? {} : { times: Number(times) }),
    ...(every === undefined ? {} : { every: Number(every) }),
  });
  print(options, fault, toPrintable(`${fault.id}  ${fault.says}`));
}

/** `sandpiper fault-clear [ID]`: takes one fault back, or all. */
export async function clearFaults(id: string | undefined, options: ConnectOptions): Promise<void> {
  await connect(options).delete(id === undefined ? '/control/faults' : `/control/faults/${encodeURIComponent(id)}`);
  print(
    options,
    { cleared: id ?? 'all' },
    id === undefined ? 'No fault waits.' : toPrintable(`The fault ${id} is taken back.`),
  );
}

/** `sandpiper limits real|off`. */
export async function setLimits(mode: string, options: ConnectOptions): Promise<void> {
  const view = await connect(options).post<{ readonly mode: string }>('/control/limits', { mode });
  print(options, view, `Rate limits are ${view.mode}.`);
}

/** `sandpiper reset`: back to the demo world, or to nothing. */
export async function reset({ empty, ...options }: ConnectOptions & { readonly empty?: boolean }): Promise<void> {
  const world = empty ? 'empty' : 'demo';
  await connect(options).post('/control/reset', { world });
  print(options, { world }, empty ? 'Nothing is stored.' : 'The demo world is back.');
}

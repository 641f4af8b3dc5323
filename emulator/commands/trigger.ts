import { jsonOf } from '../contract/json-of.ts';
import { isUnsafeName } from '../contract/unsafe-names.ts';
import type { EventTypeView, ReachView } from '../control/calls.ts';
import { toPrintable } from '../contract/printable.ts';
import { awaitDeliveries, isSettled, isTried, sayWaiting, tellAttempts } from './await-deliveries.ts';
import { connect, printExactly, printPainted, type ConnectOptions } from './connect.ts';
import { isUnderWay, toDeliveryLine, type DeliveryFacts } from './lines.ts';
import { screenOf, paint } from './terminal.ts';
import { exitCodes, toLength, UsageError } from './usage.ts';

export interface TriggerOptions extends ConnectOptions {
  readonly to?: string;
  readonly set?: readonly string[];
  readonly phone?: string;
  readonly email?: string;
  /** How far away an address may be, if it is not that of a webhook. */
  readonly reach?: ReachView;
  readonly dryRun?: boolean;
  /** How long to wait at most, such as `30s`; true waits as long as it takes. */
  readonly wait?: string | true;
}

/** `sandpiper trigger EVENT`: fires an event as the platform would, and says what the receiver answered. */
export async function trigger(word: string | undefined, options: TriggerOptions): Promise<void> {
  // The length after --wait is optional: the parser takes an event right after it for the length.
  const isEvent = word === undefined && typeof options.wait === 'string' && !/^[\dP]/.test(options.wait);
  const [type, wait] = isEvent ? [options.wait, true as const] : [word, options.wait];
  if (typeof type !== 'string') throw new UsageError('The argument <event> is missing.');
  const mostMs = typeof wait === 'string' ? toLength('--wait', wait) : undefined;
  const client = connect(options);
  const { to, reach, phone, email, dryRun } = options;
  if (reach !== undefined && to === undefined)
    throw new UsageError('--reach needs --to with a URL: a webhook has its own reach.');
  const subscriber = phone !== undefined ? { phone } : email !== undefined ? { email } : undefined;
  const payload = toPayload(options.set ?? []);
  const body = { type: type as EventTypeView['type'], payload, subscriber, to, reach, dryRun };
  const fired = await client.call('POST /control/trigger', { body });
  if (dryRun) {
    const head = Object.entries(fired.headers).map(([name, value]) => `${name}: ${value}`);
    return printExactly(options, fired, [...head, '', fired.body, '', fired.signedBy].join('\n'));
  }
  const isSlow = fired.deliveries.some(isUnderWay);
  if (isSlow) sayWaiting(options);
  const deliveries =
    wait !== undefined
      ? await awaitDeliveries(client, fired.deliveries, {
          isOver: isSettled,
          onWaiting: options.json ? undefined : tellAttempts(client, options),
          mostMs,
        })
      : isSlow
        ? await awaitDeliveries(client, fired.deliveries, { isOver: isTried })
        : fired.deliveries;
  const lines = deliveries.map((delivery) => toDeliveryLine(delivery, screenOf(options.terminal)));
  const asked = deliveries.find(({ webhookId, asksReach }) => webhookId === null && asksReach !== null)?.asksReach;
  const further = asked ? [`Repeat it with --reach ${asked} to let it go there.`] : [];
  printPainted(
    options,
    { ...fired, deliveries },
    (lines.length > 0 && [...lines, ...further, toPrintable(fired.signedBy)].join('\n')) ||
      paint(
        [[`${type} was not sent: no enabled webhook lists it. Name a receiver with --to.`]],
        screenOf(options.terminal),
      ),
  );
  const isFine = (delivery: DeliveryFacts): boolean =>
    delivery.state === 'delivered' || (wait === undefined && isUnderWay(delivery));
  if (deliveries.length === 0 || !deliveries.every(isFine)) options.terminal.exitCode = exitCodes.notDone;
}

/** Reads settings such as `subscriber.phone=+15555550100`; a value that is JSON is read as JSON. */
function toPayload(settings: readonly string[]): { readonly [key: string]: unknown } {
  const payload: Record<string, unknown> = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at < 1)
      throw new UsageError(
        `--set takes path=value, such as subscription.type=TRANSACTIONAL; ${JSON.stringify(setting)} has no ${at === 0 ? 'path before the equals sign' : 'equals sign'}.`,
      );
    const keys = setting.slice(0, at).split('.');
    if (keys.some(isUnsafeName)) throw new UsageError(`--set ${setting.slice(0, at)} cannot be a path in a payload.`);
    const last = keys.pop() ?? '';
    let inner = payload;
    for (const key of keys) {
      const found = (inner[key] ??= {});
      if (typeof found !== 'object' || Array.isArray(found))
        throw new UsageError(
          `--set ${setting.slice(0, at)} cannot be set: ${JSON.stringify(key)} is already set to ${JSON.stringify(found)}.`,
        );
      inner = found as Record<string, unknown>;
    }
    inner[last] = toValue(setting.slice(at + 1));
  }
  return payload;
}

function toValue(text: string): unknown {
  const value = jsonOf(text);
  return value === undefined ? text : value;
}

import { cutText } from '../contract/cut-text.ts';
import type { Body, DeliveryStateView, ReachView, ReceiverView, Reply } from '../control/calls.ts';
import { toAmount } from '../contract/digits.ts';
import { UserError } from '../errors.ts';
import { createClock } from '../time/clock.ts';
import { formatDuration, isDuration, parseDuration } from '../time/duration.ts';
import { longestWaitMs } from '../control/contract/receiver.ts';
import { awaitDeliveries, isTried, sayWaiting } from './await-deliveries.ts';
import { connect, print, printPainted, sayCut, type ConnectOptions } from './connect.ts';
import { toDeliveryLine, toSeconds, toWallTime } from './lines.ts';
import { listScreenOf, screenOf } from './terminal.ts';
import { exitCodes, toLength, UsageError } from './usage.ts';

export interface DeliveriesOptions extends ConnectOptions {
  readonly state?: DeliveryStateView;
  readonly webhook?: string;
  readonly limit: number;
}

/** `sandpiper deliveries`: lists the newest deliveries, each with its id. */
export async function listDeliveries({ state, webhook, limit, ...options }: DeliveriesOptions): Promise<void> {
  const query = { state, webhookId: webhook, limit };
  const { deliveries, total } = await connect(options).call('GET /control/deliveries', { query });
  const screen = listScreenOf(options.terminal);
  const lines = deliveries.map((one) => `${one.id}  ${toDeliveryLine(one, screen)}`);
  const none =
    state === undefined && webhook === undefined
      ? 'No webhook was sent yet. "sandpiper trigger email.opened --to URL" sends one.'
      : 'No delivery matches. "sandpiper deliveries" lists all.';
  printPainted(options, deliveries, lines.join('\n') || none);
  sayCut(options, deliveries.length, total);
}

type NotSent = Reply<'POST /control/deliveries/redeliver-failed'>['notSent'][number];

/** How long a command waits for the receiver's answer before it says that it waits. */
const untilSlowMs = 1_000;

/**
 * `sandpiper redeliver ID | --failed`: sends a delivery once more, with the same event id, and says what the receiver
 * answered.
 */
export async function redeliver(
  id: string | undefined,
  { failed, ...options }: ConnectOptions & { readonly failed?: boolean },
): Promise<void> {
  if (id !== undefined && failed) throw new UsageError('--failed sends all that failed, so it takes no id.');
  if (id === undefined && !failed)
    throw new UsageError('Name a delivery, or send all that failed with --failed. "sandpiper deliveries" lists them.');
  const client = connect(options);
  const { deliveries: sent, notSent } =
    id === undefined
      ? await client.call('POST /control/deliveries/redeliver-failed')
      : { deliveries: [await client.call('POST /control/deliveries/{id}/redeliver', { params: { id } })], notSent: [] };
  const cancel = createClock().afterWall(untilSlowMs, () => sayWaiting(options));
  const deliveries = await awaitDeliveries(client, sent, { isOver: isTried }).finally(cancel);
  const lines = deliveries.map((one) => `${one.id}  ${toDeliveryLine(one, screenOf(options.terminal))}`);
  const none = notSent.length === 0 ? 'No delivery failed.' : 'Nothing was sent.';
  printPainted(options, id === undefined ? deliveries : deliveries[0], lines.join('\n') || none);
  if (deliveries.some(({ state }) => state !== 'delivered')) options.terminal.exitCode = exitCodes.notDone;
  if (notSent.length > 0) throw new UserError(notSent.map(sayNotSent).join('\n'));
}

/** `2 failed deliveries were not sent (dlv_1, dlv_2). The webhook … is disabled.` */
function sayNotSent({ deliveryIds, why }: NotSent): string {
  const few = deliveryIds.slice(0, 10);
  const more = deliveryIds.length - few.length;
  const were = deliveryIds.length === 1 ? 'was' : 'were';
  return `${toAmount(deliveryIds.length, 'failed delivery', 'failed deliveries')} ${were} not sent (${few.join(', ')}${more > 0 ? ` and ${more} more` : ''}). ${why}`;
}

/** `sandpiper enable WEBHOOK`: lets a disabled webhook get events again, and sends what waited for it. */
export async function enable(id: string, options: ConnectOptions): Promise<void> {
  const webhook = await connect(options).call('POST /control/webhooks/{id}', {
    params: { id },
    body: { disabled: false },
  });
  print(options, webhook, `The webhook ${id} to ${webhook.url} is enabled.`);
}

/** `sandpiper rotate WEBHOOK`: sets a new signing key, while the old one stays valid for a time. */
export async function rotate(
  id: string,
  { overlap, ...options }: ConnectOptions & { readonly overlap?: string },
): Promise<void> {
  const webhook = await connect(options).call('POST /control/webhooks/{id}/rotate', {
    params: { id },
    body: { overlap },
  });
  const { signingKey, previousKey, url } = webhook;
  print(
    options,
    webhook,
    [
      `The webhook at ${url} has a new signing key: ${signingKey}`,
      ...(previousKey && !isNone(overlap)
        ? [`The old key signs too until ${toSeconds(previousKey.until)}.`, previousKey.advice]
        : []),
    ].join('\n'),
  );
}

const isNone = (length: string | undefined): boolean =>
  length !== undefined && isDuration(length) && parseDuration(length) === 0;

export interface GymOptions extends ConnectOptions {
  readonly count?: string;
  readonly seed?: string;
  readonly acts?: NonNullable<Body<'POST /control/gym'>['acts']>;
  readonly types?: NonNullable<Body<'POST /control/gym'>['types']>;
  /** How far away an address may be, if it is not that of a webhook. */
  readonly reach?: ReachView;
}

type GymView = Reply<'POST /control/gym'>;

/** `sandpiper gym URL`: sends repeated, late and cut events, and says how often the receiver accepted each. */
export async function gym(to: string, { count, seed, acts, types, reach, ...options }: GymOptions): Promise<void> {
  const result = await connect(options).call('POST /control/gym', {
    body: {
      to,
      count: toWhole('--count', count),
      seed: toWhole('--seed', seed),
      acts,
      types,
      reach,
    },
  });
  const lost = result.events.filter(({ accepted }) => accepted === 0);
  const lines = result.events.map(
    ({ eventId, type, sent, accepted }) =>
      `  ${eventId}  ${type}: sent ${sent === 1 ? 'once' : `${sent} times`}, accepted ${accepted}`,
  );
  const told = `${toAmount(result.events.length, 'event')} in ${toAmount(result.steps.length, 'request')} (${result.acts.join(', ')}), seed ${result.seed}:`;
  const end =
    lost.length === 0
      ? ['The receiver accepted every event at least once.']
      : [`${lost.length} ${lost.length === 1 ? 'was' : 'were'} never accepted:`, ...sayWhy(result, lost)];
  print(options, result, [told, ...lines, ...end, result.signedBy].join('\n'));
  if (lost.length > 0) options.terminal.exitCode = exitCodes.notDone;
}

/**
 * The reasons why these events were not accepted, each once. Requests that were cut on purpose have another reason, and
 * are left out.
 */
function sayWhy({ steps }: GymView, lost: GymView['events']): readonly string[] {
  const ids = new Set(lost.map(({ eventId }) => eventId));
  const whole = steps.filter(({ eventId, cutAt }) => cutAt === null && ids.has(eventId));
  return [...new Set(whole.map(({ error }) => `  ${error}`))];
}

export interface ReceiverOptions extends ConnectOptions {
  readonly status?: string;
  readonly delay?: string;
  readonly connection?: ReceiverView['behaviour']['connection'];
  readonly off?: boolean;
}

/** `sandpiper receiver`: starts the built-in receiver if it is not running, and shows what it received. */
export async function receiver({ status, delay, connection, off, ...options }: ReceiverOptions): Promise<void> {
  const client = connect(options);
  if (off) {
    await client.call('DELETE /control/receiver');
    return print(options, { running: false }, 'The receiver is stopped.');
  }
  const view = await client.call('POST /control/receiver', {
    body: {
      status: toWhole('--status', status),
      delayMs: delay === undefined ? undefined : toDelay(delay),
      connection,
    },
  });
  const { behaviour, received } = view;
  const wait = behaviour.delayMs === 0 ? '' : ` after ${behaviour.delayMs} ms`;
  const screen = listScreenOf(options.terminal);
  const lines = received.map(
    (one) =>
      `  ${toWallTime(one.wallAt, screen)} ${one.method} ${one.path} ${one.status === null ? 'not answered' : `answered ${one.status}`}: ${toStart(one.body)}`,
  );
  print(
    options,
    view,
    [toBehaviourLine(view, wait), ...(lines.length === 0 ? ['It received nothing yet.'] : lines)].join('\n'),
  );
}

/** Describes what the receiver does from now on. */
function toBehaviourLine({ url, behaviour: { connection, status } }: ReceiverView, wait: string): string {
  if (connection === 'refused') return `Nothing listens at ${url} from now on: connections are refused.`;
  if (connection === 'reset')
    return `The receiver listens at ${url} and closes each connection without an answer${wait}.`;
  return `The receiver listens at ${url} and answers ${status}${wait}.`;
}

function toStart(body: string): string {
  return cutText(body, 60);
}

/** A plain number is milliseconds, as with "sandpiper fault --delay". @throws UsageError */
function toDelay(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) : toLength('--delay', text);
  if (ms > longestWaitMs)
    throw new UsageError(`--delay: the receiver waits at most ${formatDuration(longestWaitMs)}, not ${text}.`);
  return ms;
}

function toWhole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}

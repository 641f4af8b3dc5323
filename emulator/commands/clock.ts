import type { Body, ClockChangeView, ClockView } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import type { Pace } from '../time/pace.ts';
import { moveClock } from './move-clock.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import type { Terminal } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

/** How many different things are named; the others are counted. */
const shown = 10;

/** `sandpiper clock`: shows the virtual time, and what waits for the clock. */
export async function showClock(options: ConnectOptions): Promise<void> {
  const view = await connect(options).call('GET /control/clock');
  const waiting = view.upcoming.filter(({ kind }) => kind !== null);
  const lines = waiting.slice(0, shown).map(({ at, says }) => `  ${toSeconds(at)}  ${says}`);
  const internal = view.upcoming.length - waiting.length;
  const rest = view.upcomingCount - internal - lines.length;
  print(
    options,
    view,
    [
      sayClock(view),
      `Pace: ${view.pace}.`,
      ...(lines.length === 0 ? ['No timer is waiting.'] : ['Waiting for the clock:', ...lines]),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ].join('\n'),
  );
}

export interface AdvanceOptions extends ConnectOptions {
  readonly to?: string;
  readonly rewind?: boolean;
  readonly real?: boolean;
}

/** `sandpiper advance DURATION | --to TIME | --rewind | --real`: moves the virtual clock, and says what happened. */
export async function advance(duration: string | undefined, options: AdvanceOptions): Promise<void> {
  const wanted: readonly Body<'POST /control/clock'>[] = [
    ...(duration === undefined ? [] : [{ advance: duration }]),
    ...(options.to === undefined ? [] : [{ set: options.to }]),
    ...(options.rewind ? [{ rewind: true } as const] : []),
    ...(options.real ? [{ real: true } as const] : []),
  ];
  const [body, ...others] = wanted;
  if (!body || others.length > 0)
    throw new UsageError('Give one of these: a duration such as 30d or 12h, --to with a time, --rewind, or --real.');
  const client = connect(options);
  const answer = await stoppable(client, options.terminal, body);
  if (answer.putOff !== null) options.terminal.exitCode = exitCodes.notDone;
  if (answer.stopped) options.terminal.exitCode = exitCodes.interrupted;
  const stopped = answer.stopped ? ['Stopped on the way; what was due later did not happen.'] : [];
  print(
    options,
    answer,
    options.rewind
      ? [sayClock(answer), 'Everything except the recorded requests is as it was then.'].join('\n')
      : [sayClock(answer), ...stopped, ...sayFired(answer), ...sayWaiting(answer), ...sayPutOff(answer)].join('\n'),
  );
}

/** Moves the clock: Ctrl+C stops it at the time that it has reached, and a terminal shows its progress. */
async function stoppable(
  client: ControlClient,
  { stderr }: Terminal,
  body: Body<'POST /control/clock'>,
): Promise<ClockChangeView> {
  const ended = new AbortController();
  const { answer, stop: end } = moveClock(client, body);
  const stop = (): void => {
    process.off('SIGINT', stop);
    void end();
  };
  process.on('SIGINT', stop);
  if (stderr.isTTY) void showProgress(client, stderr, ended.signal).catch(() => undefined);
  try {
    return (await answer).reply;
  } finally {
    ended.abort();
    process.off('SIGINT', stop);
    if (stderr.isTTY) stderr.write(clearLine);
  }
}

const clearLine = '\r\u001B[K';

async function showProgress(client: ControlClient, stderr: Terminal['stderr'], ended: AbortSignal): Promise<void> {
  for await (const message of client.stream(ended)) {
    if (message.type !== 'jump' || !message.jump || ended.aborted) continue;
    const { now, fired, left } = message.jump;
    stderr.write(`${clearLine}${toSeconds(now)}  ${fired} fell due, ${left} to come. Ctrl+C stops here.`);
  }
}

/** `sandpiper freeze [--off]`. */
export async function freeze({ off, ...options }: ConnectOptions & { readonly off?: boolean }): Promise<void> {
  const answer = await connect(options).call('POST /control/clock', { body: { freeze: !off } });
  print(options, answer, off ? `The clock runs again. ${sayClock(answer)}` : sayClock(answer));
}

/** `sandpiper rate NUMBER`: how many virtual seconds pass in a real one. */
export async function setRate(text: string, options: ConnectOptions): Promise<void> {
  const rate = Number(text);
  if (text.trim() === '' || !Number.isFinite(rate))
    throw new UsageError(`A rate is a number such as 60 (a minute each second), not "${text}".`);
  const answer = await connect(options).call('POST /control/clock', { body: { rate } });
  const speed = `as fast as real time${answer.mode === 'frozen' ? ' once the clock runs again' : ''}`;
  print(options, answer, `Time passes ${rate === 1 ? '' : `${rate} times `}${speed}. ${sayClock(answer)}`);
}

/** `sandpiper pace PACE`. */
export async function setPace(pace: Pace, options: ConnectOptions): Promise<void> {
  const answer = await connect(options).call('POST /control/pace', { body: { pace } });
  print(options, answer, `The pace is ${answer.pace}.`);
}

/** `It is 2026-12-22 09:00:00 UTC, 30d ahead of real time.` */
function sayClock({ now, mode, offsetMs, offset, rate }: ClockView): string {
  const isOff = Math.abs(offsetMs) >= 1_000;
  const away = isOff ? `, ${toWholeSeconds(offset)} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time` : '';
  if (mode === 'frozen') return `It is ${toSeconds(now)}${away}, and the clock is frozen.`;
  const isReal = mode === 'real' || (!isOff && rate === 1);
  return `It is ${toSeconds(now)}${isReal ? ', real time' : away}.`;
}

/** `-1m2s186ms` → `1m2s`: words say on which side of real time it is. */
function toWholeSeconds(length: string): string {
  return length.replace('-', '').replace(/(?<=s)\d+ms$/, '');
}

/** The things that fell due on the way, with equal ones counted together. Internal timers are left out. */
function sayFired({ fired, firedCount, firedCounts, rewind }: ClockChangeView): readonly string[] {
  const undo = rewind === null ? [] : ['"sandpiper advance --rewind" goes back to before that.'];
  if (firedCounts.length === 0) return ['Nothing fell due.', ...undo];
  const told = firedCounts.slice(0, shown);
  const width = String(Math.max(...told.map(({ count }) => count))).length;
  const lines = told.map(({ says, count }) => `  ${String(count).padStart(width)} × ${says}`);
  const total = firedCount - fired.filter(({ kind }) => kind === null).length;
  const rest = told.reduce((left, { count }) => left - count, total);
  return [
    total === 1 ? 'One thing fell due:' : `${total} things fell due:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...undo,
  ];
}

function sayPutOff({ putOff }: ClockChangeView): readonly string[] {
  if (putOff === null) return [];
  const { count, time, says } = putOff;
  const some = [
    ...(count === 0 ? [] : [count === 1 ? 'One of them' : `${count} of them`]),
    ...(time ? [count === 0 ? 'The new time' : 'the new time'] : []),
  ];
  const are = count + Number(time) === 1 ? 'is' : 'are';
  return [`${some.join(' and ')} could not be stored, and ${are} tried again each second. ${says}`];
}

/** The receivers that an advance did not wait for, because they answer slowly. */
function sayWaiting({ waiting }: ClockChangeView): readonly string[] {
  const lines = waiting
    .slice(0, shown)
    .map(
      ({ url, count }) =>
        `${count === 1 ? 'One delivery still waits' : `${count} deliveries still wait`} for ${url}, which answers slowly.`,
    );
  const rest = waiting.slice(shown).reduce((sum, { count }) => sum + count, 0);
  return rest === 0 ? lines : [...lines, `${rest} more deliveries wait for other receivers.`];
}

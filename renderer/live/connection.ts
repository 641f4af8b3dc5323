import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { ClockView, HealthView, StreamMessage, WelcomeView } from '../../emulator/control/calls.ts';
import { ControlError, call, openStream } from './backend/control.ts';
import { token } from './backend/session.ts';
import { joinStream, shareEnd } from './backend/shared-stream.ts';
import { readEvents, type StreamEvent } from './backend/sse.ts';
import { untilHidden, whenShown } from './backend/page-hidden.ts';
import { createPaced } from './paced.ts';
import { useRequests } from './requests.ts';
import { createTurns } from './turns.ts';

/** `hidden`: the page was hidden for a while, and closed its stream until it is shown again. */
export type Phase = 'connecting' | 'live' | 'hidden' | 'lost';

const firstRetryMs = 250;
const longestRetryMs = 2_000;

/** A message that says that anything may have changed, so that everything is read again. */
const anything: StreamMessage = { type: 'gap', skipped: 0 };

const toMessage = ({ data }: StreamEvent): StreamMessage => JSON.parse(data) as StreamMessage;

function mayChangeCompanies(message: StreamMessage): boolean {
  if (message.type === 'changes') return message.changes.some(({ kind }) => kind === 'companies');
  return message.type === 'gap' || message.type === 'reset';
}

/**
 * The connection to the server: its facts, its state, and the messages of its stream, read here or by another window.
 */
export const useConnection = defineStore('connection', () => {
  const requests = useRequests();
  const phase = shallowRef<Phase>('connecting');
  const health = shallowRef<HealthView | null>(null);
  const welcome = shallowRef<WelcomeView | null>(null);
  const clock = shallowRef<ClockView | null>(null);
  /** The running advance of the clock, if it takes long enough to be visible. */
  const jump = shallowRef<ClockView['jump']>(null);
  /** When the clock was read, in real epoch milliseconds. It has moved on since. */
  const clockReadAt = shallowRef(0);
  const lostAt = shallowRef(0);
  /** Whether the server announced its end, in contrast to a lost connection. */
  const hasEnded = shallowRef(false);
  /** When the connection last began, in real epoch milliseconds. */
  let begunAt = 0;
  const end = shareEnd((at) => {
    // An end that is heard late may be that of the server before a restart.
    if (phase.value === 'live' || phase.value === 'lost') hasEnded.value ||= at >= begunAt;
  });
  /** The number of requests caught up after a loss; null once that was shown long enough. */
  const caughtUp = shallowRef<number | null>(null);
  let caughtUpTimer = 0;
  const watchers = new Set<(message: StreamMessage) => void>();
  let retryNow: (() => void) | null = null;

  const serverTurns = createTurns();
  async function readServer(): Promise<void> {
    const isNewest = serverTurns.take();
    const [isThere, greeting] = await Promise.all([
      call('GET /control/health'),
      call('GET /control/welcome'),
      readClock(),
    ]);
    if (!isNewest()) return;
    // `welcome` first: code that reacts to another world in `health` reads the companies of that world.
    [welcome.value, health.value] = [greeting, isThere];
    jump.value = clock.value?.jump ?? null;
  }

  const clockTurns = createTurns();
  const setClock = (view: ClockView): void => {
    clock.value = view;
    clockReadAt.value = Date.now();
  };
  async function readClock(): Promise<void> {
    const isNewest = clockTurns.take();
    const read = await call('GET /control/clock');
    if (isNewest()) setClock(read);
  }

  /** Reads the clock at once after another call changed it. The change is done even if this read fails. */
  const readClockAgain = (): Promise<void> => readClock().catch(() => {});

  /** Shows the clock from the answer to a change. A read that is under way may be older, so it is dropped. */
  function showClock(view: ClockView): void {
    clockTurns.skip();
    setClock(view);
  }

  /** The counts and the clock change with the records. */
  const { soon: readServerSoon } = createPaced(() => readServer().catch(ignoreLoss), 1_000);

  async function hear(message: StreamMessage): Promise<void> {
    if (message.type === 'requests') requests.arrive(message.requests);
    if (message.type === 'gap' || message.type === 'reset') await requests.load();
    // Read before the watchers run: they read records of the shown company, which may be another one now.
    if (mayChangeCompanies(message)) await readServer();
    if (message.type === 'end') hasEnded.value = true;
    else if (message.type === 'jump') jump.value = message.jump;
    else if (message.type !== 'requests' && !mayChangeCompanies(message)) void readServerSoon();
    for (const watcher of watchers) watcher(message);
  }

  async function take(id: string | undefined, message: StreamMessage): Promise<void> {
    await hear(message);
    requests.readUpTo(Number(id ?? 0));
  }

  async function follow(signal: AbortSignal): Promise<void> {
    // Join before reading, so that events passed on by another window meanwhile are taken afterwards.
    const stream = await joinStream(signal);
    // A failure after the stream was opened must not leave it open: the next window opens its own.
    const closing = new AbortController();
    try {
      await readServer();
      const { isOurs } = stream;
      const isFirst = phase.value === 'connecting';
      let fresh = isFirst || !isOurs ? await requests.load() : 0;
      const begin = (): void => {
        if (phase.value === 'lost') sayCaughtUp(fresh);
        phase.value = 'live';
        hasEnded.value = false;
        begunAt = Date.now();
      };
      if (!isOurs) {
        begin();
        for await (const event of stream.passedOn()) await take(event.id, toMessage(event));
      }
      const open = AbortSignal.any([signal, closing.signal]);
      const events = readEvents(await openStream(isFirst && isOurs ? requests.upTo : null, open));
      // Read once the stream is open, not resumed: after a restart, the numbers of requests may differ.
      if (!isFirst && isOurs) fresh = await requests.load();
      begin();
      // No window received the changes since the last stream ended.
      stream.pass({ data: JSON.stringify(anything) });
      if (!isOurs) await hear(anything);
      for await (const event of events) {
        const message = toMessage(event);
        stream.pass(event);
        if (message.type === 'end') end.tell(Date.now());
        await take(event.id, message);
      }
    } finally {
      closing.abort();
      stream.leave();
    }
  }

  function sayCaughtUp(count: number): void {
    window.clearTimeout(caughtUpTimer);
    caughtUp.value = count;
    caughtUpTimer = window.setTimeout(() => (caughtUp.value = null), 4_000);
  }

  /** Called for another token: the server was restarted, so what follows the phase must read again. */
  function loseLive(): void {
    if (phase.value === 'live') phase.value = 'lost';
  }

  /**
   * Connects, and reconnects after each loss, until the token is refused or `signal` ends. Waits while the page stays
   * hidden.
   */
  async function stayConnected(signal: AbortSignal): Promise<void> {
    loseLive();
    for (let wait = firstRetryMs; !signal.aborted && token.value !== null;) {
      const hidden = untilHidden(signal);
      try {
        await follow(hidden.signal);
      } catch (error) {
        if (signal.aborted || (error instanceof ControlError && error.status === 401)) return;
      } finally {
        hidden.stop();
      }
      if (signal.aborted) return;
      if (hidden.signal.aborted) {
        if (phase.value === 'live') phase.value = 'hidden';
        await whenShown(signal);
        continue;
      }
      if (phase.value !== 'lost') {
        wait = firstRetryMs;
        lostAt.value = Date.now();
      }
      phase.value = 'lost';
      await new Promise<void>((resolve) => {
        retryNow = resolve;
        window.setTimeout(resolve, wait);
      });
      wait = Math.min(wait * 2, longestRetryMs);
    }
  }

  function watch(watcher: (message: StreamMessage) => void): () => void {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }

  return {
    phase,
    health,
    welcome,
    clock,
    jump,
    clockReadAt,
    lostAt,
    hasEnded,
    caughtUp,
    readClock,
    readClockAgain,
    showClock,
    stayConnected,
    watch,
    retry: () => retryNow?.(),
  };
});

/** Runs work when all records were replaced, even while the page was hidden or offline. Ids may then be reused. */
export function whenReplaced(work: () => unknown): void {
  const connection = useConnection();
  watch(
    () => connection.health?.world,
    (_now, before) => before !== undefined && work(),
    { flush: 'sync' },
  );
}

/**
 * Ignores a failed read, because the stream itself notices and reports a lost connection. Internal errors are rethrown.
 */
function ignoreLoss(error: unknown): void {
  if (error instanceof ControlError && error.status >= 500) throw error;
}

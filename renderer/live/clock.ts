import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import type { Body, ClockChangeView, DueView } from '../../emulator/control/calls.ts';
import { toProblem, useServerUndo } from './reported.ts';
import { ControlError, call } from './backend/control.ts';
import { whyReadOnly } from './backend/moment.ts';
import { counted, toDate } from '../format.ts';
import { useConnection } from './connection.ts';
import { useNow } from './now.ts';
import { useToasts } from '../kit/toasts.ts';
import { stillHere } from './still-here.ts';
import { useZone } from './zone.ts';

/** The virtual clock, as the developer controls it. */
export const useClock = defineStore('clock', () => {
  const connection = useConnection();
  const now = useNow();
  const zone = useZone();
  const toasts = useToasts();
  const router = useRouter();
  /** Why the server refused the last action; null after a success. */
  const problem = shallowRef<string | null>(null);
  const busy = shallowRef(false);
  /** Counts the advances in which something fell due, to animate the mark of now. */
  const passed = shallowRef(0);

  const view = computed(() => connection.clock);
  const jump = computed(() => connection.jump);
  const isReal = computed(() => view.value === null || view.value.mode === 'real');
  const isFrozen = computed(() => view.value?.mode === 'frozen');
  /**
   * The events that wait for time and concern the person, in due order. Internal housekeeping is left out. Events that
   * were overdue when the server listed them still wait; those that fell due since then have probably happened.
   */
  const upcoming = computed(() => {
    const readAt = Date.parse(view.value?.now ?? '');
    const isWaiting = (at: number): boolean => at <= readAt || at > now.virtual - now.grain;
    return (view.value?.upcoming ?? []).filter(({ kind, at }) => kind !== null && isWaiting(Date.parse(at)));
  });

  /** Whether everything due up to a moment is listed: the server sends only the next hundred. */
  const isAllUntil = (ms: number): boolean =>
    view.value === null ||
    view.value.upcomingCount <= view.value.upcoming.length ||
    Date.parse(view.value.upcoming.at(-1)?.at ?? '') > ms;

  /** The listed events due up to a moment, and their number in words: `3 things on the way`. */
  function dueUntil(ms: number): { readonly dues: readonly DueView[]; readonly says: string } {
    const dues = upcoming.value.filter(({ at }) => Date.parse(at) <= ms);
    return { dues, says: `${isAllUntil(ms) ? '' : 'at least '}${counted(dues.length, 'thing')} on the way` };
  }

  /** @returns whether the change was made */
  async function change(
    body: Body<'POST /control/clock'>,
    says: (answer: ClockChangeView) => string,
  ): Promise<boolean> {
    if (whyReadOnly.value !== null) {
      toasts.refuse(`${whyReadOnly.value}. Return to now to move time.`);
      return false;
    }
    const server = useServerUndo(connection.readClockAgain);
    const report = toasts.begin();
    busy.value = true;
    try {
      const answer = await server.call('POST /control/clock', { body });
      connection.showClock(answer);
      now.wall = connection.clockReadAt;
      if (answer.fired.length > 0) passed.value += 1;
      problem.value = null;
      const stoppedAt = `Stopped at ${toDate(Date.parse(answer.now), zone.zone)}${andFired(answer)}`;
      const hasResult = body.advance !== undefined || body.set !== undefined;
      const more = hasResult ? { says: 'Read what happened', act: readResult } : null;
      // A rewind is an undo already.
      report.say(answer.stopped ? stoppedAt : says(answer), body.rewind ? null : server.undo, { more });
      return true;
    } catch (error) {
      problem.value = toProblem(error);
      return false;
    } finally {
      busy.value = false;
      connection.jump = null;
    }
  }

  /** Opens the timeline at the section of the last move of the clock. */
  async function readResult(): Promise<void> {
    const isHere = stillHere(router);
    const { groups } = await call('GET /control/timeline', { query: { kind: 'clock', limit: 20 } });
    const last = groups.find(({ move, isTakenBack }) => move !== null && !isTakenBack);
    const narrowed = last
      ? { params: { id: last.id }, query: { q: `section:${last.id}` } }
      : { query: { q: 'kind:clock' } };
    if (isHere()) await router.push({ name: 'timeline', ...narrowed });
  }

  /** Stops the running advance where it is. The answer of the advance reports it. */
  async function stop(): Promise<void> {
    try {
      connection.showClock(await call('POST /control/clock', { body: { stop: true } }));
    } catch (error) {
      // The advance may have ended meanwhile.
      if (!(error instanceof ControlError && error.rule === 'clock.still')) problem.value = toProblem(error);
    }
  }

  /** @param length such as `1h` or `1d12h`; @param words the same for people, `1 h` */
  const advance = (length: string, words: string): Promise<boolean> =>
    change({ advance: length }, (answer) => `Advanced by ${words}${andFired(answer)}`);

  function setTo(ms: number): Promise<boolean> {
    const goes = ms >= now.virtual ? 'Advanced' : 'Went back';
    return change(
      { set: new Date(ms).toISOString() },
      (answer) => `${goes} to ${toDate(ms, zone.zone)}${andFired(answer)}`,
    );
  }

  /**
   * Advances to a moment at which something falls due. The page may have read that moment long ago: if it has passed,
   * time stays as it is instead of going back.
   */
  async function advanceTo(ms: number): Promise<boolean> {
    try {
      await connection.readClock();
    } catch (error) {
      problem.value = toProblem(error);
      return false;
    }
    const ahead = Math.max(0, ms - Date.parse(connection.clock?.now ?? ''));
    return change(
      { advance: `${ahead}ms` },
      (answer) => `Advanced to ${toDate(Date.parse(answer.now), zone.zone)}${andFired(answer)}`,
    );
  }

  const freeze = (frozen: boolean): Promise<boolean> =>
    change({ freeze: frozen }, ({ now: at }) =>
      frozen ? `The clock was frozen at ${toDate(Date.parse(at), zone.zone)}` : 'The clock runs again',
    );

  function setRate(rate: number): Promise<boolean> {
    return change({ rate }, () =>
      rate === 1 ? 'Time passes as fast as real time again' : `Time passes ${rate} times as fast`,
    );
  }

  const rewind = (): Promise<boolean> =>
    change(
      { rewind: true },
      ({ now: at }) =>
        `Rewound to ${toDate(Date.parse(at), zone.zone)}; everything but the list of requests is restored`,
    );

  const backToReal = (): Promise<boolean> =>
    change({ real: true }, (answer) => `The clock shows real time again${andFired(answer)}`);

  /** Advances to the moment of the next due event. False if nothing waits. */
  function advanceToNext(): Promise<boolean> | false {
    const [next] = upcoming.value;
    if (!next) {
      toasts.say('No timer is waiting');
      return false;
    }
    return advanceTo(Date.parse(next.at));
  }

  return {
    view,
    jump,
    stop,
    isReal,
    isFrozen,
    upcoming,
    isAllUntil,
    dueUntil,
    problem,
    busy,
    passed,
    advance,
    setTo,
    advanceTo,
    freeze,
    setRate,
    rewind,
    backToReal,
    advanceToNext,
    readResult,
  };
});

/** Continues a sentence with the events of an advance, and with those that could not be stored. */
function andFired(answer: ClockChangeView): string {
  const { putOff } = answer;
  const fell = whatFired(answer);
  return putOff === null
    ? fell
    : `${fell}. ${sayUnstored(putOff)} could not be stored and will be tried again: ${putOff.says}`;
}

function sayUnstored({ count, time }: NonNullable<ClockChangeView['putOff']>): string {
  if (!time) return `${count}`;
  return count === 0 ? 'The new time' : `${count} and the new time`;
}

function whatFired({ fired, firedCount }: ClockChangeView): string {
  const told = fired.filter(({ kind }) => kind !== null);
  /** The server lists at most the first thousand. */
  const total = told.length + firedCount - fired.length;
  const [first, second] = told;
  if (!first) return '; nothing fell due';
  if (!second) return `. ${first.says}`;
  if (total === 2) return `. ${first.says}; ${second.says}`;
  return `. ${first.says}, and ${counted(total - 1, 'more thing')} fell due`;
}

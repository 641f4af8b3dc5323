import { formatDuration, parseDuration, sayDuration, toIso, type Jump, type JumpProgress } from '../time/clock.ts';
import { storeProblem } from '../store/errors.ts';
import { delays } from '../lifecycles.ts';
import { inBody, refuse } from '../rules.ts';
import { delayAt, paces, type Pace } from '../time/pace.ts';
import { inSlices } from '../time/slices.ts';
import type { TimeSettings } from '../time/time-settings.ts';
import { editValue, type Undoable, type UndoCode } from '../world/edits.ts';
import { undoLimit } from '../world/undo.ts';
import { countWaiting } from './delivery-views.ts';
import { countFired, toDueView } from './due-view.ts';
import { toMoment } from './to-moment.ts';
import { clockRules } from './rules/time-rules.ts';
import type { ClockChangeView, ClockView, JumpView, PaceView, clockCalls } from './contract/clock.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Lists are cut at these lengths; the rest is only counted. */
const shownUpcoming = 100;
const shownFired = 1000;

/** A requested move of time. */
interface Move {
  /** The name that the caller gave it, to stop it by. */
  readonly name: string | undefined;
  /** Whether it was stopped while it waited for its turn; then it does not begin. */
  isStopped: boolean;
  /** Null while it waits for its turn. */
  jumped: Promise<Jump> | null;
}

/** Handlers with which a developer moves the one virtual clock and sets the pace. */
export function createClockHandlers({
  store,
  clock,
  time,
  world,
  undo,
  features: { rearm },
}: HandlerDeps): Handlers<typeof clockCalls> {
  const { editSetting } = undo;
  const view = (): ClockView => {
    const { rate, frozenAt } = clock.state();
    const { now, wall } = clock.reading();
    const jump = clock.jump();
    const upcoming = clock.upcoming();
    return {
      mode: clock.mode(),
      now: toIso(now),
      wall: toIso(wall),
      offsetMs: now - wall,
      offset: formatDuration(toReadable(now - wall)),
      rate,
      frozenAt,
      pace: time.pace(),
      jump: jump && toJumpView(jump),
      upcoming: upcoming.slice(0, shownUpcoming).map((due) => toDueView(due, store)),
      upcomingCount: upcoming.length,
      rewind: undo.nextRewind(),
    };
  };
  /** The answer to a change in which nothing fell due. */
  const change = (rewound: Undoable | null = null): ClockChangeView => ({
    ...view(),
    stopped: false,
    fired: [],
    firedCount: 0,
    firedCounts: [],
    waiting: [],
    putOff: null,
    rewound,
  });
  const toMoved = async ({ fired, failures, unkept, stopped }: Jump): Promise<ClockChangeView> => ({
    ...change(),
    stopped,
    fired: fired.slice(0, shownFired).map((due) => toDueView(due, store)),
    firedCount: fired.length,
    firedCounts: (await inSlices(countFired(fired, store))).slice(0, shownFired),
    waiting: await inSlices(countWaiting(store.deliveries.records())),
    putOff: toPutOff(failures, unkept),
  });

  // None of these changes the current time, so undoing them moves no record.
  const isFrozen = (): boolean => clock.state().frozenAt !== null;
  const setFrozen = (frozen: boolean): void => {
    if (isFrozen() !== frozen) clock.freeze(frozen);
  };
  const setRate = (rate: number): void => {
    if (clock.state().rate !== rate) clock.rate(rate);
  };
  const setPace = (pace: Pace): void => {
    time.setPace(pace);
    rearm();
  };

  /** The moves that run or wait for their turn. */
  const moves = new Set<Move>();

  /** Moves time when its turn comes. A checkpoint is made first, to which time can be rewound. */
  const jump = async (
    name: string | undefined,
    code: UndoCode,
    says: (from: string) => string,
    go: () => Promise<Jump>,
  ): Promise<ClockChangeView> => {
    const move: Move = { name, isStopped: false, jumped: null };
    moves.add(move);
    try {
      return await world.inTurn(async () =>
        move.isStopped ? { ...change(), stopped: true } : run(move, code, says, go),
      );
    } finally {
      moves.delete(move);
    }
  };

  const run = async (
    move: Move,
    code: UndoCode,
    says: (from: string) => string,
    go: () => Promise<Jump>,
  ): Promise<ClockChangeView> => {
    const before = clock.now();
    const from = toIso(before);
    return undo.editWorld(
      { code, says: says(from) },
      async (remember) => {
        const retell = remember();
        const jumped = go();
        move.jumped = jumped;
        const ended = await jumped;
        // Nothing is stored at an earlier time yet, so this is the earliest moment that can be shown.
        if (clock.now() < before) store.past.mark();
        const changed = await toMoved(ended);
        if (changed.stopped) retell(`Time was moved to ${changed.now}, where it was stopped, from ${from}.`);
        return changed;
      },
      { jump: true },
    );
  };

  /** Ends the running move, or the move with this name. A named move that still waits does not begin. */
  const stop = async (name: string | undefined): Promise<ClockChangeView> => {
    const wanted = [...moves].find((one) => (name === undefined ? one.jumped !== null : one.name === name));
    if (wanted?.jumped === null) {
      wanted.isStopped = true;
      return { ...change(), stopped: true };
    }
    if ((name !== undefined && !wanted) || !clock.stop())
      return refuse(clockRules.still, inBody('/stop'), true, { name: name ?? null });
    await wanted?.jumped.catch(() => undefined);
    return { ...change(), stopped: true };
  };

  const acts: {
    readonly [act: string]: (value: never, name: string | undefined) => Promise<ClockChangeView> | ClockChangeView;
  } = {
    advance(length: string, name) {
      const ms = parseDuration(length, inBody('/advance'));
      return jump(
        name,
        'clock.advanced',
        (from) => `Time was advanced by ${sayDuration(ms)}, from ${from}.`,
        () => clock.advance(ms),
      );
    },
    set(text: string, name) {
      const to = toMoment(text, inBody('/set'));
      return jump(
        name,
        'clock.set',
        (from) => `Time was set to ${toIso(to)}, from ${from}.`,
        () => clock.set(to),
      );
    },
    freeze(frozen: boolean) {
      editValue(editSetting, { set: setFrozen, was: isFrozen(), is: frozen }, () => {
        const now = toIso(clock.now());
        return frozen
          ? { code: 'clock.frozen', says: `The clock was frozen at ${now}.` }
          : { code: 'clock.unfrozen', says: `The clock runs again, from ${now}.` };
      });
      return change();
    },
    rate(rate: number) {
      const was = clock.state().rate;
      editValue(editSetting, { set: setRate, was, is: rate }, () => ({
        code: 'clock.rate-changed',
        says: `The rate of the clock was changed to ${rate}, from ${was}.`,
      }));
      return change();
    },
    real: (_real: true, name) =>
      clock.mode() === 'real'
        ? change()
        : jump(
            name,
            'clock.made-real',
            (from) => `Time was made real again, from ${from}.`,
            () => clock.real(),
          ),
    stop: (_stop: true, name) => stop(name),
    rewind: () =>
      world.replaceInTurn(async () => {
        const rewound = await undo.rewind();
        return rewound ? change(rewound) : refuse(clockRules.noRewind, inBody('/rewind'), true, { limit: undoLimit });
      }),
  };

  return {
    'GET /control/clock': view,
    'POST /control/clock'({ body: { name, ...body } }) {
      const wanted = Object.entries(body);
      const [[asked, value] = []] = wanted;
      const act = asked === undefined || wanted.length > 1 ? undefined : acts[asked];
      if (!act) return refuse(clockRules.one, inBody(''), body, { came: wanted.map(([one]) => one) });
      return act(value as never, name);
    },
    'GET /control/pace': () => toPaceView(time),
    'POST /control/pace'({ body }) {
      const [was, is] = [time.pace(), body.pace];
      editValue(editSetting, { set: setPace, was, is }, () => ({
        code: 'pace.changed',
        says: `The pace was changed to ${is}, from ${was}.`,
      }));
      return toPaceView(time);
    },
  };
}

/** The progress of a jump, as it is reported. */
export function toJumpView({ from, to, now, fired, left }: JumpProgress): JumpView {
  return { from: toIso(from), to: toIso(to), now: toIso(now), fired, left };
}

function toPaceView(time: TimeSettings): PaceView {
  const pace = time.pace();
  return { pace, paces, delays: Object.fromEntries(delays.map((delay) => [delay.name, delayAt(pace, delay)])) };
}

/** The failures that the disk caused. Other failures are internal errors, and are reported as such. */
function toPutOff(failures: readonly unknown[], unkept: unknown): ClockChangeView['putOff'] {
  const problems = failures.flatMap((error) => storeProblem(error) ?? []);
  const ofTime = storeProblem(unkept);
  const [first = ofTime] = problems;
  return first === null ? null : { count: problems.length, time: ofTime !== null, says: first.problem };
}

/** Rounds to seconds from a minute on: firing takes some real milliseconds, which should not appear in `30d`. */
function toReadable(ms: number): number {
  return Math.abs(ms) < 60_000 ? ms : Math.round(ms / 1_000) * 1_000;
}

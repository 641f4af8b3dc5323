/** Reading calls about an earlier moment: they answer from a copy of the records as they were then. */
import type { Middleware } from 'koa';
import { createAsyncContext } from '../world/async-context.ts';
import type { Recorder } from '../http/record/recorder.ts';
import type { Move } from '../records.ts';
import { inHeader, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { openStore } from '../store/store.ts';
import { toIso, type Clock } from '../time/clock.ts';
import { momentAt } from '../world/moments.ts';
import type { LedBy } from '../world/lineage.ts';
import type { World } from '../world/world.ts';
import type { CallTable } from './call.ts';
import { calls } from './calls.ts';
import { timelineRules } from './rules/time-rules.ts';
import { handlerOf, wrapEach, type Handlers } from './route.ts';
import { toMoment } from './to-moment.ts';

/** The header with the moment at which a reading call looks, ISO 8601 on the virtual clock. */
const momentHeader = 'x-sandbox-at';

/** How long the copy is kept after its last use: a view makes many calls. */
const lookMs = 60_000;

/** The parts of an emulator as they were at an earlier moment. Handlers over these parts show that moment. */
export interface PastParts {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly lineage: LedBy;
  readonly clock: Clock;
}

export interface LookBackDeps extends PastParts {
  readonly world: Pick<World, 'past'>;
  /** Creates the handlers over other parts. */
  create(parts: PastParts): Handlers<typeof calls>;
}

const watch = createAsyncContext<number>();

/** Notes the moment that a request looks at. */
export const readMoment: Middleware = (ctx, next) => {
  const text = ctx.get(momentHeader);
  if (text === '') return next();
  return watch.run(toMoment(text, inHeader(momentHeader)), next);
};

/** Wraps the handlers so that they answer as of the moment that their request looks at. */
export function lookBack(handlers: Handlers<typeof calls>, deps: LookBackDeps): Handlers<typeof calls> {
  const { store, clock } = deps;
  let opened: { readonly at: number; readonly handlers: Promise<Handlers<typeof calls>> } | null = null;
  // The copy stays valid, unless its moment is the present or all records are replaced.
  const close = (): void => void (opened = null);
  store.onReplace(close);
  let cancel = (): void => {};
  store.onCommit(() => {
    if (opened && clock.now() <= opened.at) opened = null;
  });

  const handlersAt = (at: number): Promise<Handlers<typeof calls>> => {
    cancel();
    cancel = clock.afterWall(lookMs, close);
    if (opened?.at !== at) {
      opened = { at, handlers: open(at, deps) };
      const mine = opened;
      mine.handlers.catch(() => {
        if (opened === mine) opened = null;
      });
    }
    return opened.handlers;
  };

  return wrapEach(handlers, (name, handle) => (input) => {
    const at = watch.current();
    const asOf = (calls as CallTable)[name]?.asOf;
    if (at === undefined || asOf === 'now') return handle(input);
    if (asOf === 'moment') return handlersAt(at).then((then) => handlerOf(then, name)(input));
    return refuse(timelineRules.readOnly, inHeader(momentHeader), toIso(at), { at: toIso(at), header: momentHeader });
  });
}

async function open(
  at: number,
  { world, recorder, lineage, clock, create }: LookBackDeps,
): Promise<Handlers<typeof calls>> {
  const { document } = await momentAt({ world, clock }, at, inHeader(momentHeader));
  const store = await openStore({ dataDir: null, now: () => at });
  await store.replace(document);
  const until = (exchanges: ReturnType<Recorder['all']>) => exchanges.filter((exchange) => exchange.at <= at);
  return create({
    store,
    recorder: {
      ...recorder,
      all: (after) => until(recorder.all(after)),
      changing: (...texts) => until(recorder.changing(...texts)),
    },
    lineage: {
      has: lineage.has,
      all: () => until(lineage.all()),
      changing: (...texts) => until(lineage.changing(...texts)),
    },
    clock: { ...clock, now: () => at, upcoming: () => [] },
  });
}

/** Closes all moves: at an earlier moment nothing can be moved. */
export function toClosed(moves: readonly Move[]): readonly Move[] {
  return moves.map((move) => ({ ...move, open: false, why: 'You are looking at an earlier moment.' }));
}

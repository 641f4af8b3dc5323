import { inBody, inQuery } from '../../rules.ts';
import type { StateDocument } from '../../store/store.ts';
import { toIso } from '../../time/clock.ts';
import type { CollectionName, Delivery, Stateful, Webhook } from '../../records.ts';
import type { Definitions } from '../../records/definition.ts';
import { toKind } from '../../records/kind.ts';
import { fork, goBack, momentAt, type MomentDeps } from '../../world/moments.ts';
import type { TimelineMomentView, timelineCalls } from '../contract/timeline.ts';
import type { Handlers } from '../route.ts';
import { toMoment } from '../to-moment.ts';

type MomentCalls = 'GET /control/timeline/moment' | 'POST /control/timeline/back' | 'POST /control/timeline/fork';

/** Handlers for an earlier moment: look at it, make it the present, or keep it as a snapshot. */
export function createMomentHandlers(deps: MomentDeps): Pick<Handlers<typeof timelineCalls>, MomentCalls> {
  const { store, clock, world } = deps;
  return {
    async 'GET /control/timeline/moment'({ query: { at } }) {
      const moment = await momentAt(deps, Date.parse(at), inQuery('at'));
      return {
        at,
        now: toIso(clock.now()),
        earliest: toIso(await world.past.earliest()),
        ...compare(moment.document, store.toDocument(), store.definitions),
        hasOtherProducts: moment.hasOtherProducts,
      };
    },
    async 'POST /control/timeline/back'({ body: { at } }) {
      const from = toIso(clock.now());
      const { hasOtherProducts } = await goBack(deps, toMoment(at, inBody('/at')));
      return { at: toIso(clock.now()), from, hasOtherProducts };
    },
    'POST /control/timeline/fork': ({ body: { at, name, overwrite } }) =>
      fork(deps, toMoment(at, inBody('/at')), name, overwrite),
  };
}

/** Counts the kinds of records that people look at, then and now, and how many of each are under way. */
function compare(
  then: StateDocument,
  now: StateDocument,
  definitions: Definitions,
): Pick<TimelineMomentView, 'counts' | 'receivers'> {
  const of = <R>({ collections }: StateDocument, name: string): readonly R[] =>
    (collections[name as CollectionName] ?? []) as unknown as readonly R[];
  const count = (name: string, says: string, isMeant: (record: Partial<Stateful<string>>) => boolean = () => true) => ({
    says: says.slice(0, 1).toUpperCase() + says.slice(1),
    kind: toKind(name),
    was: of<Partial<Stateful<string>>>(then, name).filter(isMeant).length,
    is: of<Partial<Stateful<string>>>(now, name).filter(isMeant).length,
  });
  const counts = Object.entries(definitions).flatMap(([name, { hasCompany, shownAt, toldAs, words, open }]) => {
    if (!hasCompany || (shownAt === null && toldAs !== 'message')) return [];
    const many = words[1];
    const isOpen = ({ state = '' }: Partial<Stateful<string>>): boolean => open.includes(state);
    return [count(name, many), ...(open.length > 0 ? [count(name, `${many} under way`, isOpen)] : [])];
  });
  const deliveries = of<Delivery>(then, 'deliveries');
  const waiting = definitions['deliveries']?.open ?? [];
  return {
    counts: counts.filter(({ was, is }) => was > 0 || is > 0),
    receivers: of<Webhook>(then, 'webhooks')
      .slice(0, 50)
      .map(({ id, url, disabledAt }) => {
        const own = deliveries.filter(({ webhookId }) => webhookId === id);
        return {
          id,
          url,
          isEnabled: disabledAt === null,
          waiting: own.filter(({ state }) => waiting.includes(state)).length,
          failed: own.filter(({ state }) => state === 'failed').length,
        };
      }),
  };
}

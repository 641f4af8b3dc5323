import { toEpoch } from '../../contract/formats.ts';
import { inBody, inQuery, refuse } from '../../rules.ts';
import type { StateDocument } from '../../store/store.ts';
import { toIso } from '../../time/clock.ts';
import { timeRules } from '../../time/rules.ts';
import type { Delivery, Message, Offer, PrivacyRequest, Webhook } from '../../records.ts';
import { definitions } from '../../records/definitions.ts';
import { fork, goBack, momentAt, type MomentDeps } from '../../world/moments.ts';
import type { TimelineMomentView, timelineCalls } from '../contract/timeline.ts';
import type { Handlers } from '../route.ts';

type MomentCalls = 'GET /control/timeline/moment' | 'POST /control/timeline/back' | 'POST /control/timeline/fork';

/** An earlier moment: looked at, made the present, or kept as a snapshot. */
export function createMomentHandlers(deps: MomentDeps): Pick<Handlers<typeof timelineCalls>, MomentCalls> {
  const { store, clock, world } = deps;
  return {
    async 'GET /control/timeline/moment'({ query: { at } }) {
      const moment = await momentAt(deps, Date.parse(at), inQuery('at'));
      return {
        at,
        now: toIso(clock.now()),
        earliest: toIso(await world.past.earliest()),
        ...compare(moment.document, store.toDocument()),
        hasOtherProducts: moment.hasOtherProducts,
      };
    },
    async 'POST /control/timeline/back'({ body: { at } }) {
      const from = toIso(clock.now());
      const { hasOtherProducts } = await goBack(deps, toMs(at));
      return { at: toIso(clock.now()), from, hasOtherProducts };
    },
    'POST /control/timeline/fork': ({ body: { at, name } }) => fork(deps, toMs(at), name),
  };
}

function toMs(text: string): number {
  return toEpoch(text) ?? refuse(timeRules.iso, inBody('/at'), text, { text });
}

const waiting: readonly string[] = definitions.deliveries.open;

function compare(then: StateDocument, now: StateDocument): Pick<TimelineMomentView, 'counts' | 'receivers'> {
  const of = <R>({ collections }: StateDocument, name: keyof StateDocument['collections']): readonly R[] =>
    (collections[name] ?? []) as unknown as readonly R[];
  const count = <R>(
    says: string,
    kind: string,
    name: keyof StateDocument['collections'],
    isMeant: (record: R) => boolean = () => true,
  ) => ({
    says,
    kind,
    was: of<R>(then, name).filter(isMeant).length,
    is: of<R>(now, name).filter(isMeant).length,
  });
  const deliveries = of<Delivery>(then, 'deliveries');
  return {
    counts: [
      count('Subscribers', 'users', 'users'),
      count<Delivery>('Deliveries waiting', 'deliveries', 'deliveries', ({ state }) => waiting.includes(state)),
      count<Message>('Messages sent', 'messages', 'messages', ({ direction }) => direction === 'out'),
      count<PrivacyRequest>('Privacy requests open', 'privacy-requests', 'privacyRequests', isOpen),
      count<Offer>('Offers active', 'offers', 'offers', ({ state }) => state === 'ACTIVE'),
      count('Webhooks', 'webhooks', 'webhooks'),
    ],
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

const isOpen = ({ state }: PrivacyRequest): boolean => state !== 'processed';

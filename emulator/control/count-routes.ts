import { getAttribute, valuesOf } from '../features/attributes/manage.ts';
import { getUnit } from '../features/subscriptions/manage-units.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { emailsOf, phonesOf } from '../people/addresses.ts';
import type { Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import type {
  AttributeLineView,
  AttributeValuesView,
  NamedPersonView,
  UnitLineView,
  UnitPeopleView,
} from './protocol.ts';

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
const ofCompany = { type: 'object', properties: { companyId: { type: 'string' } } } as const;

/** Values and people shown of one attribute or unit; the rest is only counted. */
const shownValues = 200;
const shownPeople = 50;

/** Sign-up units and attributes with how many people have them. */
export function createCountRoutes({ store }: { readonly store: Store }): readonly Endpoint[] {
  const throughUnit = (id: string): readonly Subscription[] =>
    store.subscriptions.index('byUnit', ({ signUpUnitId }) => (signUpUnitId === null ? [] : [signUpUnitId])).get(id);
  const toPerson = (userId: string): NamedPersonView => ({ id: userId, name: nameOf(store.users.get(userId)) });

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/sign-up-units',
      summary: 'Sign-up units, with how many subscriptions came through each',
      query: ofCompany,
      replies: { 200: anything },
      handle({ query: { companyId } }) {
        const units = [...store.signUpUnits.all()]
          .filter((unit) => companyId === undefined || unit.companyId === companyId)
          .map((unit): UnitLineView => {
            const through = throughUnit(unit.id);
            const subscribed = through.filter(({ status }) => status === 'subscribed').length;
            return { ...unit, subscribed, unsubscribed: through.length - subscribed };
          });
        return { status: 200, body: { units } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/sign-up-units/{id}/people',
      summary: 'Who subscribed through a sign-up unit, the latest first',
      params: byId,
      replies: { 200: anything },
      handle({ params: { id } }) {
        const latest = throughUnit(getUnit(store, id).id).toSorted((one, other) =>
          other.updatedAt.localeCompare(one.updatedAt),
        );
        const view: UnitPeopleView = {
          total: latest.length,
          people: latest.slice(0, shownPeople).map(({ userId, channel, status, updatedAt }) => ({
            ...toPerson(userId),
            channel,
            status,
            updatedAt,
          })),
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/attributes',
      summary: 'Attributes, with how many people have a value of each',
      query: ofCompany,
      replies: { 200: anything },
      handle({ query: { companyId } }) {
        const attributes = [...store.attributeDefinitions.all()]
          .filter((one) => companyId === undefined || one.companyId === companyId)
          .map((one): AttributeLineView => ({ ...one, people: valuesOf(store, one).length }));
        return { status: 200, body: { attributes } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/attributes/{id}/values',
      summary: 'Which values an attribute has, and how many people have each; the most frequent first',
      params: byId,
      replies: { 200: anything },
      handle({ params: { id } }) {
        const definition = getAttribute(store, id);
        const held = new Map<string, string[]>((definition.values ?? []).map((value) => [value, []]));
        for (const { value, userId } of valuesOf(store, definition)) {
          const having = held.get(value);
          if (having) having.push(userId);
          else held.set(value, [userId]);
        }
        const all = [...held].toSorted(([, one], [, other]) => other.length - one.length);
        const view: AttributeValuesView = {
          total: all.length,
          values: all.slice(0, shownValues).map(([value, having]) => ({
            value,
            people: having.length,
            taken: definition.values === null || definition.values.includes(value),
            some: having.slice(-3).reverse().map(toPerson),
          })),
        };
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}

function nameOf(user: User | undefined): string {
  if (!user) return 'somebody who is gone';
  return phonesOf(user)[0] ?? emailsOf(user)[0] ?? user.clientUserIds[0] ?? user.customIdentifiers[0]?.value ?? user.id;
}

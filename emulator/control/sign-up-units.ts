import { findCompany } from '../features/accounts/find.ts';
import { changeUnit, getUnit, makeUnit, removeUnit } from '../features/subscriptions/manage-units.ts';
import type { Subscription } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { Edit } from '../world/edits.ts';
import type { signUpUnitCalls } from './contract/sign-up-units.ts';
import { toNamedPerson } from './people-search.ts';
import type { Handlers } from './route.ts';
import { toDone } from './views.ts';

/** People shown of one unit; the rest is only counted. */
const shownPeople = 50;

export interface SignUpUnitHandlerDeps {
  readonly store: Store;
  readonly edit: Edit;
}

/** Sign-up units, as a person makes them on the platform's own pages, and the people who subscribed through them. */
export function createSignUpUnitHandlers({ store, edit }: SignUpUnitHandlerDeps): Handlers<typeof signUpUnitCalls> {
  const throughUnit = (id: string): readonly Subscription[] =>
    store.subscriptions.index('byUnit', ({ signUpUnitId }) => (signUpUnitId === null ? [] : [signUpUnitId])).get(id);

  return {
    'GET /control/sign-up-units': ({ query: { companyId } }) => ({
      units: store.signUpUnits
        .records()
        .filter((unit) => companyId === undefined || unit.companyId === companyId)
        .map((unit) => {
          const through = throughUnit(unit.id);
          const subscribed = through.filter(({ status }) => status === 'subscribed').length;
          return { ...unit, subscribed, unsubscribed: through.length - subscribed };
        }),
    }),
    'GET /control/sign-up-units/{id}/people'({ params: { id } }) {
      const latest = throughUnit(getUnit(store, id).id).toSorted((one, other) =>
        other.updatedAt.localeCompare(one.updatedAt),
      );
      return {
        total: latest.length,
        people: latest.slice(0, shownPeople).map(({ userId, channel, status, updatedAt }) => ({
          ...toNamedPerson(store, userId),
          channel,
          status,
          updatedAt,
        })),
      };
    },
    'POST /control/sign-up-units': ({ body: { companyId, ...fields } }) =>
      toDone(
        edit(
          'sign-up-unit.created',
          ({ name }) => `The sign-up unit “${name}” was created.`,
          () => makeUnit(store, findCompany(store, companyId).id, fields),
          ({ id }) => removeUnit(store, id),
        ),
      ),
    'POST /control/sign-up-units/{id}': ({ params: { id }, body }) =>
      toDone(
        edit(
          'sign-up-unit.changed',
          ({ name }) => `The sign-up unit “${name}” was changed.`,
          () => changeUnit(store, id, body),
        ),
      ),
    'DELETE /control/sign-up-units/{id}': ({ params: { id } }) =>
      toDone(
        edit(
          'sign-up-unit.deleted',
          ({ name }) => `The sign-up unit “${name}” was deleted.`,
          () => removeUnit(store, id),
        ),
      ),
  };
}

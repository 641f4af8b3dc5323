import { findCompany } from '../features/accounts/find.ts';
import { changeUnit, getUnit, makeUnit, removeUnit } from '../features/subscriptions/manage-units.ts';
import type { Subscription } from '../records.ts';
import { inBody } from '../rules.ts';
import { inParts } from '../time/slices.ts';
import type { signUpUnitCalls } from './contract/sign-up-units.ts';
import { toNamedPerson } from './people/people-search.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { checkCompany, recordsOf } from './of-company.ts';
import type { Handlers } from './route.ts';

/** How many people of a unit are listed; the others are only counted. */
const shownPeople = 50;

/**
 * Handlers that manage sign-up units, as a person does on the platform's own pages, and list who subscribed through
 * them.
 */
export function createSignUpUnitHandlers({ store, editDone }: HandlerDeps): Handlers<typeof signUpUnitCalls> {
  const counted = (unitId: string, status: Subscription['status']): number =>
    store.subscriptions.tally('throughUnit', toUnitKey)(toUnitKey({ signUpUnitId: unitId, status }));

  return {
    'GET /control/sign-up-units'({ query: { companyId } }) {
      checkCompany(store, companyId);
      return {
        units: recordsOf(store.signUpUnits, companyId).map((unit) => ({
          ...unit,
          subscribed: counted(unit.id, 'subscribed'),
          unsubscribed: counted(unit.id, 'unsubscribed'),
        })),
      };
    },
    async 'GET /control/sign-up-units/{id}/people'({ params: { id } }) {
      const unit = getUnit(store, id);
      let total = 0;
      let latest: readonly { readonly one: Subscription; readonly at: number }[] = [];
      for await (const part of inParts(store.subscriptions.records(), 10_000)) {
        const through = part.filter(({ signUpUnitId }) => signUpUnitId === unit.id);
        total += through.length;
        latest = [...latest, ...through.map((one) => ({ one, at: Date.parse(one.updatedAt) }))]
          .sort((one, other) => other.at - one.at)
          .slice(0, shownPeople);
      }
      return {
        total,
        people: latest.map(({ one: { userId, channel, status, updatedAt } }) => ({
          ...toNamedPerson(store, userId),
          channel,
          status,
          updatedAt,
        })),
      };
    },
    'POST /control/sign-up-units': ({ body: { companyId, ...fields } }) =>
      editDone(
        'sign-up-unit.created',
        ({ name }) => `The sign-up unit “${name}” was created.`,
        () => makeUnit(store, findCompany(store, companyId, inBody('/companyId')).id, fields),
        ({ id }) => removeUnit(store, id),
      ),
    'POST /control/sign-up-units/{id}': ({ params: { id }, body }) =>
      editDone(
        'sign-up-unit.changed',
        ({ name }) => `The sign-up unit “${name}” was changed.`,
        () => changeUnit(store, id, body),
      ),
    'DELETE /control/sign-up-units/{id}': ({ params: { id } }) =>
      editDone(
        'sign-up-unit.deleted',
        ({ name }) => `The sign-up unit “${name}” was deleted.`,
        () => removeUnit(store, id),
      ),
  };
}

function toUnitKey({ signUpUnitId, status }: Pick<Subscription, 'signUpUnitId' | 'status'>): string {
  return `${signUpUnitId} ${status}`;
}

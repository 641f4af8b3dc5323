import { addToList } from '../contract/add-to-list.ts';
import { findCompany } from '../features/accounts/find.ts';
import {
  changeAttribute,
  defineAttribute,
  getAttribute,
  removeAttribute,
  takeBackAttribute,
  valuesOf,
} from '../features/attributes/manage.ts';
import { inBody } from '../rules.ts';
import type { attributeCalls } from './contract/attributes.ts';
import { toNamedPerson } from './people/people-search.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { checkCompany, recordsOf } from './of-company.ts';
import type { Handlers } from './route.ts';

/** How many values of an attribute are listed; the others are only counted. */
const shownValues = 200;

/**
 * Handlers that manage attributes, as a person does on the platform's own pages, and count the people who have each.
 */
export function createAttributeHandlers({ store, editDone }: HandlerDeps): Handlers<typeof attributeCalls> {
  return {
    'GET /control/attributes'({ query: { companyId } }) {
      checkCompany(store, companyId);
      return {
        attributes: recordsOf(store.attributeDefinitions, companyId).map((one) => ({
          ...one,
          people: valuesOf(store, one).length,
        })),
      };
    },
    'GET /control/attributes/{id}/values'({ params: { id } }) {
      const definition = getAttribute(store, id);
      const held = new Map<string, string[]>((definition.values ?? []).map((value) => [value, []]));
      for (const { value, userId } of valuesOf(store, definition)) addToList(held, value, userId);
      const all = [...held].toSorted(([, one], [, other]) => other.length - one.length);
      return {
        total: all.length,
        values: all.slice(0, shownValues).map(([value, having]) => ({
          value,
          people: having.length,
          taken: definition.values === null || definition.values.includes(value),
          some: having
            .slice(-3)
            .reverse()
            .map((userId) => toNamedPerson(store, userId)),
        })),
      };
    },
    'POST /control/attributes': ({ body: { companyId, name, type, values = null }, now }) =>
      editDone(
        'attribute.created',
        (made) => `The attribute “${made.name}” was created.`,
        () =>
          defineAttribute(
            store,
            findCompany(store, companyId, inBody('/companyId')).id,
            { name: name.trim(), type, values },
            now,
          ),
        ({ id }) => removeAttribute(store, id),
      ),
    'POST /control/attributes/{id}': ({ params: { id }, body }) =>
      editDone(
        'attribute.changed',
        ({ name }) => `The attribute “${name}” was changed.`,
        () => changeAttribute(store, id, body),
        (_made, revert) => takeBackAttribute(store, id, revert),
      ),
    'DELETE /control/attributes/{id}': ({ params: { id } }) =>
      editDone(
        'attribute.deleted',
        ({ name }) => `The attribute “${name}” was deleted, with all its values.`,
        () => removeAttribute(store, id),
        (_made, revert) => takeBackAttribute(store, id, revert),
      ),
  };
}

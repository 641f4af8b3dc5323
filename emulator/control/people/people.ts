import type { User } from '../../records.ts';
import { noSuch } from '../../rules.ts';
import type { PersonLineView, peopleCalls } from '../contract/people.ts';
import { prepareLines, searchPeople, toPersonLine } from './people-search.ts';
import { preparePerson, toPersonView } from './person-facts.ts';
import { toHistory } from './person-history.ts';
import { checkCompany, countOfCompany } from '../of-company.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Handlers } from '../route.ts';

/** Handlers for people: they are found by any identifier, with the facts about each and their history. */
export function createPeopleHandlers({
  store,
  lineage,
  world: { activities },
}: HandlerDeps): Handlers<typeof peopleCalls> {
  const personOf = (id: string): User => store.users.get(id) ?? noSuch('person', id);

  return {
    async 'GET /control/people'({ query: { companyId, search = '', person, offset = 0, limit = 100 } }) {
      checkCompany(store, companyId);
      await prepareLines(store);
      const people: PersonLineView[] = [];
      let at: number | null = null;
      let place = 0;
      // Without a search, people are counted without listing them all.
      const count = search.trim() === '' ? countOfCompany(store, 'users', companyId) : null;
      const isDone = (): boolean => count !== null && people.length >= limit && (person === undefined || at !== null);
      for await (const part of searchPeople(store, companyId, search)) {
        if (isDone()) break;
        for (const user of part) {
          if (place >= offset && people.length < limit) people.push(toPersonLine(store, user, search));
          if (user.id === person) at = place;
          place += 1;
        }
      }
      return { total: count ?? place, at, people };
    },
    async 'GET /control/people/{id}'({ params: { id } }) {
      await preparePerson(store);
      return toPersonView({ store, lineage, activities }, personOf(id));
    },
    async 'GET /control/people/{id}/history'({ params: { id }, query: { group, offset = 0, limit = 100 } }) {
      await preparePerson(store);
      return toHistory(store, lineage, personOf(id), { group, offset, limit });
    },
  };
}

import type { PersonLineView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';

/**
 * The person of a company with an id, phone or email, else the newest one that a search finds; undefined if there is
 * none. A search also finds people with the text inside a longer value.
 */
export async function findPerson(companyId: string, whom: string): Promise<PersonLineView | undefined> {
  const wanted = whom.toLowerCase();
  const query = { companyId, search: whom.slice(0, 500), limit: 500 };
  const { people } = await call('GET /control/people', { query });
  return (
    people.find(({ id, names, found }) =>
      [id, found?.value, ...names].some((known) => known?.toLowerCase() === wanted),
    ) ?? people[0]
  );
}

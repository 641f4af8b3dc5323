import type { App, Company, Credential } from '../../records.ts';
import { inBody, noSuch, refuse, type Place } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { accountRules, longestName } from './rules.ts';

/** The company with that id; refused if there is none. @param place of the id in the request; its path if left out */
export function findCompany(store: Store, id: string, place?: Place): Company {
  return store.companies.get(id) ?? noSuch('company', id, place);
}

/** The app with that id in the path; refused if there is none. */
export function findApp(store: Store, id: string): App {
  return store.apps.get(id) ?? noSuch('app', id);
}

/**
 * The key or token with that id; refused if there is none.
 * @param place of the id in the request; its path if left out
 */
export function findCredential(store: Store, id: string, place?: Place): Credential {
  return store.credentials.get(id) ?? noSuch('credential', id, place);
}

/** A name without leading and trailing spaces. */
export function toName(what: 'company' | 'app', sent: string): string {
  const name = sent.trim();
  if (name === '' || [...name].length > longestName) refuse(accountRules.name, inBody('/name'), sent, { what });
  return name;
}

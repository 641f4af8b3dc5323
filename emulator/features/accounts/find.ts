import type { App, Company, Credential } from '../../records.ts';
import { inBody, inPath, refuse, type Place } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { accountRules, longestName } from './rules.ts';

/** The company with that id; refused with 404 if there is none. */
export function findCompany(store: Store, id: string, place: Place = inPath('id')): Company {
  return store.companies.get(id) ?? refuse(accountRules.unknownCompany, place, id, { id });
}

/** The app with that id; refused with 404 if there is none. */
export function findApp(store: Store, id: string): App {
  return store.apps.get(id) ?? refuse(accountRules.unknownApp, inPath('id'), id, { id });
}

/** The key or token with that id; refused with 404 if there is none. */
export function findCredential(store: Store, id: string): Credential {
  return store.credentials.get(id) ?? refuse(accountRules.unknownCredential, inPath('id'), id, { id });
}

/** A name without leading and trailing spaces. */
export function toName(what: 'company' | 'app', sent: string): string {
  const name = sent.trim();
  if (name === '' || [...name].length > longestName) refuse(accountRules.name, inBody('/name'), sent, { what });
  return name;
}

import { randomInt } from 'node:crypto';
import type { Scope } from '../../http/scopes.ts';
import { toGlobalId } from '../../ids.ts';
import type { App, Company, Credential, StoredRecord } from '../../records.ts';
import { inPath, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { makePrivateApp, removeApp } from './apps.ts';
import { findCompany, toName } from './find.ts';
import { accountRules } from './rules.ts';
import type { CompanyChange, CompanyFields } from './shapes.ts';

/** A company with the app and the key for its first caller. */
export interface NewCompany {
  readonly company: Company;
  readonly app: App;
  readonly credential: Credential;
}

/**
 * Creates a company with a private app that has all scopes. Inside a transaction.
 * @param now epoch milliseconds
 */
export function makeCompany(store: Store, fields: CompanyFields, allScopes: readonly Scope[], now: number): NewCompany {
  const company = addCompany(store, fields);
  const secret = `${toSlug(company.name)}-${randomTail()}`;
  return {
    company,
    ...makePrivateApp(store, { companyId: company.id, name: 'First app', scopes: allScopes, secret }, now),
  };
}

/** Creates a company with nothing in it; its id must not be taken. Inside a transaction. */
export function addCompany(store: Store, fields: CompanyFields & { readonly id?: string | undefined }): Company {
  const name = toName('company', fields.name);
  const slug = toSlug(name);
  return store.companies.put({
    id: fields.id ?? toGlobalId('Company', store.nextNumber()),
    name,
    domain: fields.domain ?? `${slug}.attn.example`,
    contactEmail: fields.contactEmail ?? `dev@${slug}.example`,
  });
}

/** Changes the given fields of a company. Inside a transaction. */
export function changeCompany(store: Store, id: string, change: CompanyChange): Company {
  const known = findCompany(store, id);
  return store.companies.put({
    ...known,
    name: change.name === undefined ? known.name : toName('company', change.name),
    domain: change.domain ?? known.domain,
    contactEmail: change.contactEmail ?? known.contactEmail,
  });
}

/** Deletes a company as `removeCompany` does. Refused for the only one. Inside a transaction. */
export function deleteCompany(store: Store, id: string): Company {
  findCompany(store, id);
  if (store.companies.size === 1) refuse(accountRules.lastCompany, inPath('id'), id, undefined);
  return removeCompany(store, id);
}

/**
 * Removes a company with all its records, and the keys, codes and webhooks that its apps have at other companies. Its
 * files stay, so that this can be undone. Refused while the company still has work in progress. Inside a transaction.
 */
export function removeCompany(store: Store, id: string): Company {
  const company = findCompany(store, id);
  const own = <R extends { readonly companyId: string }>(records: Iterable<R>) =>
    [...records].filter(({ companyId }) => companyId === id);
  const waiting = own(store.deliveries.all()).filter(({ state }) => /^(?:queued|delivering|retrying)$/.test(state));
  const checking = own(store.uploads.all()).filter(({ state }) => state === 'validating');
  const busy =
    waiting.length > 0
      ? { count: waiting.length, busy: 'deliveries still wait for an answer' }
      : { count: checking.length, busy: 'catalog files are being checked' };
  if (busy.count > 0) refuse(accountRules.busyCompany, inPath('id'), id, { name: company.name, ...busy });
  for (const app of own(store.apps.all())) removeApp(store, app.id);
  for (const name of store.names) {
    const collection = store.collection(name);
    for (const record of collection.all())
      if ((record as StoredRecord & { readonly companyId?: string }).companyId === id) collection.delete(record.id);
  }
  store.companies.delete(id);
  return company;
}

/** The letters and digits of a name, for hosts and keys: `Crème & Co.` → `creme-co`. */
function toSlug(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, 40).replace(/-$/, '') || 'company';
}

/** Ten random characters of base 36, hard to guess. */
function randomTail(): string {
  return Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('');
}

/** Fills an empty store with a declared world. */
import { toEpoch } from '../contract/formats.ts';
import { addCompany } from '../features/accounts/companies.ts';
import { makeApp } from '../features/accounts/apps.ts';
import { defineAttribute } from '../features/attributes/manage.ts';
import { createCodeSet } from '../features/offers/code-set.ts';
import { writeCodes } from '../features/offers/codes.ts';
import { makeOffer } from '../features/offers/manage.ts';
import { checkDates } from '../features/offers/offers.ts';
import { makeUnit } from '../features/subscriptions/manage-units.ts';
import { makeWebhook } from '../features/webhooks/webhooks.ts';
import { scopes } from '../http/scopes.ts';
import { toGlobalId } from '../ids.ts';
import { toIso } from '../time/clock.ts';
import type { Path, Problem } from '../config/problems.ts';
import { companyOf, Mistake, notFound, toProblem, type Item, type PlantDeps, type Reference } from './mistake.ts';
import { plantSubscriber } from './plant-subscriber.ts';
import type { WorldDeclaration } from './schema.ts';

/**
 * Creates every record of a world that fits its schema.
 * @param misfits the places of items that do not fit it, which are left out
 * @returns the mistakes, in the order of the lists; if there is one, the store is of no use
 */
export function plantWorld(
  declared: WorldDeclaration,
  deps: Omit<PlantDeps, 'at' | 'kept'>,
  misfits: readonly Path[] = [],
): readonly Problem[] {
  const problems: Problem[] = [];
  const isMisfit = (kind: string, index: number): boolean =>
    misfits.some(([list, at]) => list === kind && at === index);
  /** Where the items are that could not be created. A reference to one of them is not a mistake of its own. */
  const failed = new Set(misfits.map(([kind, index]) => `${kind} ${index}`));
  const kept = new Map<string, readonly string[]>();
  const isFailed = ({ kind, name }: Reference): boolean =>
    (declared[kind] ?? []).some((item, index) => {
      if (!failed.has(`${kind} ${index}`)) return false;
      // What does not fit the schema may have any name: the misfit may be the name itself.
      return name === null || isMisfit(kind, index) || [item.name, 'id' in item ? item.id : null].includes(name);
    });
  const each = <K extends keyof WorldDeclaration>(kind: K, plant: (item: Item<K>, deps: PlantDeps) => void): void =>
    ((declared[kind] ?? []) as readonly Item<K>[]).forEach((item, index) => {
      if (isMisfit(kind, index)) return;
      const at = (path: Path, work: () => void): void => {
        try {
          work();
        } catch (error) {
          failed.add(`${kind} ${index}`);
          if (error instanceof Mistake && error.missing !== null && isFailed(error.missing)) return;
          problems.push(toProblem(error, [kind, index, ...path]));
        }
      };
      at([], () => plant(item, { ...deps, at, kept }));
    });
  deps.store.transact(() => {
    each('companies', plantCompany);
    each('apps', plantApp);
    each('signUpUnits', plantUnit);
    each('offers', plantOffer);
    each('attributes', plantAttribute);
    each('subscribers', plantSubscriber);
    each('webhooks', plantWebhook);
  });
  return problems;
}

function plantCompany({ name, id, ...fields }: Item<'companies'>, { store }: PlantDeps): void {
  for (const one of store.companies.all())
    if (one.name === name || one.id === id)
      throw new Mistake([one.name === name ? 'name' : 'id'], `There is a company ${JSON.stringify(name)} already.`);
  addCompany(store, { name, id, ...fields });
}

function plantApp(app: Item<'apps'>, { store, now, secretOf }: PlantDeps): void {
  const { id: companyId, name: company } = companyOf(store, app);
  const { kind = 'private', clientId, clientSecret, key } = app;
  const wrong = kind === 'private' ? (['clientId', 'clientSecret'] as const) : (['key'] as const);
  for (const field of wrong)
    if (app[field] !== undefined) throw new Mistake([field], `A ${kind} app has no ${field}. Leave it out.`);
  for (const one of store.apps.all()) {
    if (one.companyId === companyId && one.name === app.name.trim())
      throw new Mistake(['name'], `The company has an app ${JSON.stringify(one.name)} already. Choose another name.`);
    if (clientId !== undefined && one.clientId === clientId)
      throw new Mistake(['clientId'], `The app ${JSON.stringify(one.name)} already has this id. Choose another one.`);
  }
  const secretFor = (field: string): string => secretOf(field, company, app.name);
  const { app: created, credential } = makeApp(
    store,
    {
      companyId,
      kind,
      name: app.name,
      scopes: app.scopes ?? scopes,
      ...(app.redirectUris && { redirectUris: app.redirectUris }),
      secret: key ?? secretFor('key'),
    },
    now,
  );
  if (key === null && credential) store.credentials.delete(credential.id);
  if (kind === 'public')
    store.apps.put({
      ...created,
      clientId: clientId ?? `client-${secretFor('clientId')}`,
      clientSecret: clientSecret ?? secretFor('clientSecret'),
    });
}

function plantUnit(unit: Item<'signUpUnits'>, { store }: PlantDeps): void {
  if (unit.id !== undefined && store.signUpUnits.get(unit.id))
    throw new Mistake(['id'], `There is a sign-up unit ${unit.id} already.`);
  makeUnit(store, companyOf(store, unit).id, unit);
}

function plantOffer(offer: Item<'offers'>, { store, now, at }: PlantDeps): void {
  const { id, name, window, apiUploads = true, uploads = [] } = offer;
  if (id !== undefined && store.offers.get(id)) throw new Mistake(['id'], `There is an offer ${id} already.`);
  const { id: companyId } = companyOf(store, offer);
  const created = makeOffer(store, companyId, { id, name, window, apiUploads }, now);
  const known = createCodeSet();
  uploads.forEach(({ codes: sent, start = null, stop = null }, index) => {
    // The window may have been changed after the first upload (see changeOffer). Since then the uploads decide, and
    // also here.
    const meant = start === null && stop === null ? 'never-expire' : 'custom-time-period';
    at(['uploads', index], () => checkDates(store, { ...created, window: meant }, { start, stop }));
    const codes = sent.filter((code) => known.add(code));
    const upload = store.offerUploads.put({
      id: toGlobalId('CouponUpload', store.nextNumber()),
      companyId,
      offerId: created.id,
      distributionStart: start && toIso(toEpoch(start) ?? now),
      distributionStop: stop && toIso(toEpoch(stop) ?? now),
      codeCount: codes.length,
      duplicateCount: sent.length - codes.length,
      receivedAt: toIso(now),
    });
    writeCodes(store, upload.id, codes);
  });
  const codeCount = store.offerUploads
    .records()
    .filter(({ offerId }) => offerId === created.id)
    .reduce((sum, upload) => sum + upload.codeCount, 0);
  store.offers.put({ ...created, codeCount });
}

function plantAttribute(attribute: Item<'attributes'>, { store, now, kept: keptOf }: PlantDeps): void {
  const { name, type, values = null, kept = [] } = attribute;
  const { id } = defineAttribute(store, companyOf(store, attribute).id, { name, type, values }, now);
  keptOf.set(id, kept);
}

function plantWebhook(webhook: Item<'webhooks'>, { store, now, secretOf }: PlantDeps): void {
  const { url, events, disabled = false } = webhook;
  const company = companyOf(store, webhook);
  const { id: appCompanyId } =
    webhook.appCompany === undefined ? company : companyOf(store, { company: webhook.appCompany });
  const own = store.apps.records().filter(({ companyId }) => companyId === appCompanyId);
  const app = webhook.app === undefined ? own[0] : own.find(({ name }) => name === webhook.app);
  if (!app) {
    if (webhook.app === undefined)
      throw new Mistake(['app'], 'The company has no app for it. Declare one in "apps".', { kind: 'apps', name: null });
    throw notFound(
      ['app'],
      { kind: 'apps', name: webhook.app },
      own.map(({ name }) => name),
    );
  }
  const signingKey = webhook.signingKey ?? secretOf('signingKey', company.name, app.name, url);
  const created = makeWebhook(store, app, company.id, { url, events, signingKey }, now);
  if (disabled) store.webhooks.put({ ...created, disabledAt: toIso(now) });
}

import { changeAttribute, defineAttribute, removeAttribute } from '../features/attributes/manage.ts';
import { findCompany } from '../features/accounts/find.ts';
import { readCodes } from '../features/offers/codes.ts';
import { changeOffer, getOffer, makeOffer, removeOffer } from '../features/offers/manage.ts';
import { checkDates } from '../features/offers/offers.ts';
import { toSubject } from '../features/privacy/erase.ts';
import { changeUnit, makeUnit, removeUnit } from '../features/subscriptions/manage-units.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Recorder } from '../http/recorder.ts';
import { Refusal } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { emailsOf, phonesOf } from '../people/addresses.ts';
import { countOfPerson } from '../people/of-person.ts';
import type { Users } from '../people/users.ts';
import type { Acting } from './acting.ts';
import { notFound } from './problems.ts';
import type { CodesView, DatesView, PrivacyMatchesView } from './protocol.ts';
import { toKind, toRefusalView, toSummary } from './views.ts';

export interface AdminRouteDeps {
  readonly store: Store;
  readonly users: Users;
  readonly recorder: Recorder;
  readonly act: Acting;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = {
  access: 'anyone',
  dialect: 'control',
  section: 'control API',
  provenance: 'assumed',
  asynchronous: true,
} as const;
const companyId = { type: 'string' } as const;
const offerFields = {
  name: { type: 'string', maxLength: 400, examples: ['Autumn welcome'] },
  window: { type: 'string', enum: ['custom-time-period', 'never-expire', 'time-to-live'] },
  apiUploads: { type: 'boolean', default: true },
} as const;
const unitFields = {
  name: { type: 'string', maxLength: 200, examples: ['API de-DE marketing'] },
  language: { type: 'string', maxLength: 20, examples: ['de'] },
  country: { type: 'string', maxLength: 20, examples: ['DE'] },
  type: { type: 'string', enum: ['MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED'] },
} as const;
const attributeFields = {
  type: { type: 'string', enum: ['string', 'number', 'boolean', 'date'] },
  values: {
    type: ['array', 'null'],
    maxItems: 1_000,
    items: { type: 'string', maxLength: 1_000 },
    examples: [['S', 'M']],
  },
} as const;

/** Offers, sign-up units and attributes, as a person makes them on the platform's own pages; and what records came of. */
export function createAdminRoutes({ store, users, recorder, act }: AdminRouteDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/offers',
      summary: 'Create an offer',
      body: {
        type: 'object',
        required: ['companyId', 'name', 'window'],
        additionalProperties: false,
        properties: { companyId, ...offerFields },
      },
      replies: { 201: anything },
      async handle({ body: { name, window, apiUploads = true, companyId: of }, now }) {
        const done = act(
          'offer.created',
          (offer) => `The offer “${offer.name}” was created.`,
          () => makeOffer(store, findCompany(store, of).id, { name, window, apiUploads }, now),
          ({ id }) => removeOffer(store, id),
        );
        return { status: 201, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/offers/{id}',
      summary: 'Change an offer: only what is sent',
      params: byId,
      body: { type: 'object', additionalProperties: false, properties: offerFields },
      replies: { 200: anything },
      async handle({ params: { id }, body }) {
        const done = act(
          'offer.changed',
          ({ name }) => `The offer “${name}” was changed.`,
          () => changeOffer(store, id, body),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/offers/{id}',
      summary: 'Delete an offer with its codes',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const done = act(
          'offer.deleted',
          ({ name }) => `The offer “${name}” was deleted, with its codes.`,
          () => removeOffer(store, id),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/offers/{id}/codes',
      summary: 'The codes of an offer in the order of their uploads; q is part of a code',
      params: byId,
      query: {
        type: 'object',
        properties: {
          q: { type: 'string', maxLength: 256, examples: ['WELCOME'] },
          offset: { type: 'string', pattern: '^[0-9]{1,9}$', examples: ['0'] },
          limit: { type: 'string', pattern: '^(?:[0-9]{1,3}|1000)$', examples: ['100'] },
        },
      },
      replies: { 200: anything },
      async handle({ params: { id }, query: { q = '', offset = '0', limit = '100' } }) {
        const wanted = q.toLowerCase();
        const uploads = [...store.offerUploads.all()].filter(({ offerId }) => offerId === getOffer(store, id).id);
        const [from, to] = [Number(offset), Number(offset) + Number(limit)];
        let total = 0;
        const codes: { code: string; uploadId: string }[] = [];
        for (const upload of uploads) {
          for (const code of readCodes(store, upload.id)) {
            if (!code.toLowerCase().includes(wanted)) continue;
            if (total >= from && total < to) codes.push({ code, uploadId: upload.id });
            total += 1;
          }
        }
        const view: CodesView = { total, codes };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/offers/{id}/dates',
      summary: 'Whether an upload of codes with these dates would be taken, and if not, why',
      params: byId,
      query: {
        type: 'object',
        properties: {
          start: { type: 'string', maxLength: 100, examples: ['2026-12-01T00:00:00Z'] },
          stop: { type: 'string', maxLength: 100, examples: ['2026-12-10T00:00:00Z'] },
        },
      },
      replies: { 200: anything },
      async handle({ params: { id }, query: { start = null, stop = null }, now }) {
        const offer = getOffer(store, id);
        const view: DatesView = datesOf(() => checkDates(store, offer, { start, stop }, now));
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/sign-up-units',
      summary: 'Create an API sign-up unit',
      body: {
        type: 'object',
        required: ['companyId', 'language', 'country', 'type'],
        additionalProperties: false,
        properties: { companyId, ...unitFields },
      },
      replies: { 201: anything },
      async handle({ body: { companyId: of, ...fields } }) {
        const done = act(
          'sign-up-unit.created',
          ({ name }) => `The sign-up unit “${name}” was created.`,
          () => makeUnit(store, findCompany(store, of).id, fields),
        );
        return { status: 201, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/sign-up-units/{id}',
      summary: 'Change a sign-up unit: only what is sent',
      params: byId,
      body: { type: 'object', additionalProperties: false, properties: unitFields },
      replies: { 200: anything },
      async handle({ params: { id }, body }) {
        const done = act(
          'sign-up-unit.changed',
          ({ name }) => `The sign-up unit “${name}” was changed.`,
          () => changeUnit(store, id, body),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/sign-up-units/{id}',
      summary: 'Delete a sign-up unit; who subscribed through it stays subscribed',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const done = act(
          'sign-up-unit.deleted',
          ({ name }) => `The sign-up unit “${name}” was deleted.`,
          () => removeUnit(store, id),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/attributes',
      summary: 'Create an attribute; with values it takes only those',
      body: {
        type: 'object',
        required: ['companyId', 'name', 'type'],
        additionalProperties: false,
        properties: {
          companyId,
          name: { type: 'string', maxLength: 1_000, examples: ['shoe size'] },
          ...attributeFields,
        },
      },
      replies: { 201: anything },
      async handle({ body: { companyId: of, name, type, values = null }, now }) {
        const done = act(
          'attribute.created',
          (made) => `The attribute “${made.name}” was created.`,
          () => defineAttribute(store, findCompany(store, of).id, { name, type, values }, now),
          ({ id }) => removeAttribute(store, id),
        );
        return { status: 201, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/attributes/{id}',
      summary: 'Change the type or the fixed values of an attribute; null takes any value',
      params: byId,
      body: { type: 'object', additionalProperties: false, properties: attributeFields },
      replies: { 200: anything },
      async handle({ params: { id }, body }) {
        const done = act(
          'attribute.changed',
          ({ name }) => `The attribute “${name}” was changed.`,
          () => changeAttribute(store, id, body),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/attributes/{id}',
      summary: 'Delete an attribute, and the values that people have of it',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const done = act(
          'attribute.deleted',
          ({ name }) => `The attribute “${name}” was deleted, with everybody’s value.`,
          () => removeAttribute(store, id),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/privacy-requests/{id}/people',
      summary: 'Whom a deletion request matches now, and what would go with them',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const request =
          store.privacyRequests.get(id) ??
          notFound(`There is no deletion request ${id}. GET /control/records/privacy-requests lists them.`);
        const people = users.find(request.companyId, toSubject(request)).map((user) => ({
          id: user.id,
          phones: phonesOf(user),
          emails: emailsOf(user),
          kept: Object.fromEntries([...countOfPerson(store, user.id)].map(([name, count]) => [toKind(name), count])),
        }));
        const view: PrivacyMatchesView = { people };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/records/{kind}/{id}/requests',
      summary: 'The recorded requests that changed a record, newest last',
      params: {
        type: 'object',
        required: ['kind', 'id'],
        properties: { kind: { type: 'string', examples: ['privacy-requests'] }, id: { type: 'string' } },
      },
      replies: { 200: anything },
      async handle({ params: { kind, id } }) {
        const found = recorder
          .all()
          .filter(({ changes }) => changes.some((one) => one.id === id && toKind(one.collection) === kind));
        return { status: 200, body: { total: found.length, requests: found.slice(-100).map(toSummary) } };
      },
    }),
  ];
}

function datesOf(check: () => void): DatesView {
  try {
    check();
    return { accepted: true, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { accepted: false, refusal: toRefusalView(error) };
  }
}

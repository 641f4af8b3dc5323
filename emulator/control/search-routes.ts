import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { CollectionName, Collections, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { badRequest } from './problems.ts';
import type { FoundView } from './protocol.ts';
import { toKind } from './views.ts';

interface Shown {
  /** What a person calls it. */
  readonly title: string;
  readonly about: string;
  /** Further texts under which it is found. */
  readonly words: readonly string[];
}

type Show<Name extends CollectionName> = (record: Collections[Name], store: Store) => Shown;

/** The kinds that people look for, in the order in which they are listed, each with how one of it is shown. */
const shows: { readonly [Name in CollectionName]?: Show<Name> } = {
  users(user, store) {
    const keys = [...user.phones, ...user.emails, ...user.clientUserIds, ...user.shopifyIds, ...user.klaviyoIds];
    const [title = user.id, ...others] = keys;
    const of = store.subscriptions.index('byUser', (one) => [one.userId]).get(user.id);
    const subscribed = of.filter(({ status }) => status === 'subscribed').length;
    return {
      title: `Subscriber ${title}`,
      about: subscribed === 0 ? 'not subscribed' : `${subscribed} subscription${subscribed === 1 ? '' : 's'}`,
      words: [...others, ...user.customIdentifiers.map(({ value }) => value), String(user.externalId)],
    };
  },
  offers: ({ id, name, state, codeCount }) => ({
    title: `Offer ${id} ${name}`,
    about: `${codeCount.toLocaleString('en-US')} code${codeCount === 1 ? '' : 's'}, ${state}`,
    words: [],
  }),
  uploads: ({ id, state }) => ({ title: `Upload ${id}`, about: state, words: ['catalog'] }),
  privacyRequests: ({ id, subjectPhone, subjectEmail, clientUserId, state }) => ({
    title: `Privacy request ${id}`,
    about: [subjectPhone ?? subjectEmail ?? clientUserId ?? '', state].filter(Boolean).join(', '),
    words: [subjectEmail ?? '', clientUserId ?? ''],
  }),
  webhooks: ({ url, disabledAt, events }) => ({
    title: `Webhook ${url}`,
    about: disabledAt === null ? `${events.length} event${events.length === 1 ? '' : 's'}` : 'disabled',
    words: events,
  }),
  deliveries: ({ type, state, eventId }) => ({ title: `Delivery of ${type}`, about: state, words: [eventId] }),
  attributeDefinitions: ({ name, type, values }) => ({
    title: `Attribute ${name}`,
    about: values === null ? `any ${type}` : `${values.length} fixed values`,
    words: [],
  }),
  signUpUnits: ({ id, name, type }) => ({ title: `Sign-up unit ${name}`, about: `${id}, ${type}`, words: [] }),
  apps: ({ name, kind, scopes }) => ({
    title: `App ${name}`,
    about: `${kind}, ${scopes.length} scope${scopes.length === 1 ? '' : 's'}`,
    words: [],
  }),
};

/** Of one kind; so that thousands of one do not hide the others. */
const shownOfKind = 5;

/** The search of the inspector's palette over a company's records. */
export function createSearchRoutes({ store }: { store: Store }): readonly Endpoint[] {
  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/companies/{id}/search',
      summary: 'Records of a company whose id, name or further marks hold every word of the question',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      query: {
        type: 'object',
        required: ['q'],
        properties: { q: { type: 'string', maxLength: 200, examples: ['15555550100'] } },
      },
      replies: { 200: { type: 'object' } },
      handle({ params: { id }, query }) {
        const wanted = String(query.q).toLowerCase().split(/\s+/).filter(Boolean);
        if (wanted.length === 0) return badRequest('The question q is empty; name a word to look for.');
        const found = Object.keys(shows).flatMap((name) => [...search(store, name as CollectionName, id, wanted)]);
        return { status: 200, body: { found } };
      },
    }),
  ];
}

/** Newest first. */
function* search(
  store: Store,
  name: CollectionName,
  companyId: string,
  wanted: readonly string[],
): Generator<FoundView> {
  const show = shows[name] as ((record: StoredRecord, store: Store) => Shown) | undefined;
  const of = [...(store[name].all() as Iterable<StoredRecord & { readonly companyId: string }>)].reverse();
  let count = 0;
  for (const record of of) {
    if (!show || record.companyId !== companyId) continue;
    const { title, about, words } = show(record, store);
    const text = `${record.id} ${title} ${about} ${words.join(' ')}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    yield { kind: toKind(name), id: record.id, title, about };
    if (++count === shownOfKind) return;
  }
}

import type { GraphQLResolveInfo } from 'graphql';
import { fromGlobalId, numberOf, toGlobalId } from '../../ids.ts';
import { addressMeant, phonesOf, type Named } from '../../people/addresses.ts';
import { ownsWebhook, type Caller } from '../../people/caller.ts';
import { subscriptionsMeant } from '../../people/subscriptions.ts';
import type { Channel, SubscriptionType, User, Webhook } from '../../records.ts';
import { inBody, refuse, Refusal } from '../../rules.ts';
import { byTime } from '../../time/duration.ts';
import type { Context } from './context.ts';
import { findPart, type FieldInfo } from './argument-place.ts';
import { spotOf } from './query-text.ts';
import { graphqlRules, limits } from './rules.ts';

/** The fields of `Query`, for one request. Records of other companies are null, like records that do not exist. */
export function toQueries(context: Context): { readonly [field: string]: unknown } {
  const { authorize } = context;
  return {
    viewer: () => ({ installedApplication: () => toInstalledApplication(context, authorize('bearer')) }),
    node: ({ id }: { readonly id: string }) => findNode(context, id),
    nodes: ({ ids }: { readonly ids: readonly string[] }, _context: unknown, info: GraphQLResolveInfo) => {
      if (ids.length > limits.ids) refuseIds(ids, { ...info, sent: context.variables });
      return ids.map((id) => nodeOrRefusal(context, id));
    },
  };
}

/**
 * A webhook as GraphQL shows it. Its id has another type than in REST (docs/platform.md, Identifiers), with the same
 * number.
 */
export function toWebhook({ id, url, events, disabledAt }: Webhook) {
  return { __typename: 'Webhook', id: toShownWebhookId(id), url, events, disabledAt };
}

/** The id of a webhook in GraphQL, from either of its two ids; other text stays as it is. */
export function toShownWebhookId(id: string): string {
  const read = fromGlobalId(id);
  return read?.type === 'CompanyApplicationWebhook' ? toGlobalId('Webhook', read.number) : id;
}

/** The id under which a webhook is stored, from either of its two ids. */
export function toWebhookId(id: string): string {
  const read = fromGlobalId(id);
  return read?.type === 'Webhook' ? toGlobalId('CompanyApplicationWebhook', read.number) : id;
}

/** A subscription as GraphQL shows it; its `destinationAddress` is the address that is subscribed. */
export function toSubscription({
  type,
  channel,
  address,
  createdAt,
}: {
  readonly type: SubscriptionType;
  readonly channel: Channel;
  readonly address: string | null;
  readonly createdAt: string | null;
}) {
  return {
    type: `TYPE_${type}`,
    channel: `CHANNEL_${channel}`,
    created: createdAt,
    destinationAddress:
      address === null
        ? null
        : { __typename: channel === 'TEXT' ? 'DestinationPhone' : 'DestinationEmail', value: address },
  };
}

/** Refuses too many ids in `nodes`; the fix keeps the first ones, in the variable or in the query. */
function refuseIds(ids: readonly string[], info: FieldInfo): never {
  const [field] = info.fieldNodes;
  const part = field && findPart(info, field, 'ids', '');
  const count = ids.length;
  if (part?.place)
    return refuse(graphqlRules.ids, part.place, count, { count, fewer: ids.slice(0, limits.ids), spot: {} });
  const list = part?.node;
  const lastKept = list?.kind === 'ListValue' ? list.values[limits.ids - 1]?.loc : undefined;
  if (!list?.loc || !lastKept) throw new Error('The ids of nodes are neither in a variable nor in the query.');
  const query = list.loc.source.body;
  const fewer = `${query.slice(0, lastKept.end)}]${query.slice(list.loc.end)}`;
  return refuse(graphqlRules.ids, inBody('/query'), query, { count, fewer, spot: spotOf(list.loc) });
}

/** A node of a list. A refusal is returned: graphql-js then answers null with its error, and keeps the other nodes. */
function nodeOrRefusal(context: Context, id: string): unknown {
  try {
    return findNode(context, id);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Finds a node. Authorizes first, so that without the scope nothing shows whether a record exists. */
function findNode(context: Context, id: string): unknown {
  const caller = context.authorize('bearer');
  const { store } = context.deps;
  switch (fromGlobalId(id)?.type) {
    case 'Application':
      return id === caller.app.id ? toApplication(caller) : null;
    case 'InstalledApplication':
      return id === installationId(context, caller) ? toInstalledApplication(context, caller) : null;
    case 'Company':
      return id === caller.companyId ? toCompany(context, caller) : null;
    case 'User': {
      context.authorize('subscriptions:read');
      const user = store.users.get(id);
      return user?.companyId === caller.companyId ? toUser(context, caller, user, {}) : null;
    }
    case 'Webhook':
    case 'CompanyApplicationWebhook': {
      context.authorize('webhooks:write');
      const webhook = store.webhooks.get(toWebhookId(id));
      return webhook && ownsWebhook(caller, webhook) ? toWebhook(webhook) : null;
    }
    default:
      return null;
  }
}

/**
 * The id of an installation has the number of its first credential: the app's own number would be the same for each
 * company that installed it.
 */
function installationId({ deps: { store } }: Context, { app, companyId, credential }: Caller): string {
  const byInstallation = store.credentials.index('byInstallation', (one) => [`${one.companyId} ${one.appId}`]);
  const [first = credential] = byInstallation.get(`${companyId} ${app.id}`);
  return toGlobalId('InstalledApplication', numberOf(first.id));
}

function toInstalledApplication(context: Context, caller: Caller) {
  return {
    __typename: 'InstalledApplication',
    id: installationId(context, caller),
    application: toApplication(caller),
    installerCompany: () => toCompany(context, caller),
    webhooks: () => {
      context.authorize('webhooks:write');
      return [...context.deps.store.webhooks.all()].filter((webhook) => ownsWebhook(caller, webhook)).map(toWebhook);
    },
  };
}

function toApplication({ app }: Caller) {
  return { __typename: 'Application', id: app.id, name: app.name };
}

function toCompany(context: Context, caller: Caller) {
  const { store, users } = context.deps;
  const { companyId } = caller;
  const company = store.companies.get(companyId);
  if (!company) throw new Error(`The company ${companyId} of a credential is not stored.`);
  return {
    __typename: 'Company',
    id: company.id,
    name: company.name,
    user: (by: { readonly phone?: string | null; readonly email?: string | null }) => {
      context.authorize('subscriptions:read');
      const user = users.find(companyId, by)[0];
      return user ? toUser(context, caller, user, by) : null;
    },
  };
}

/** A person; if found by an address, with only the subscriptions of that address on its channel. */
function toUser(context: Context, caller: Caller, user: User, by: Named) {
  const subscriptions = subscriptionsMeant(context.deps.store, user.id, by);
  const isTexted = (phone: string | null): boolean =>
    subscriptions.some(
      ({ channel, status, address }) => channel === 'TEXT' && status === 'subscribed' && address === phone,
    );
  const phone = by.phone ? addressMeant(user, 'TEXT', by) : (phonesOf(user).find(isTexted) ?? null);
  const unknown = { firstName: '', lastName: '', city: '', state: '', zipcode: '', country: '', timezone: '' };
  return {
    __typename: 'User',
    ...unknown,
    id: user.id,
    company: () => toCompany(context, caller),
    subscribedPhone: (isTexted(phone) && phone) || '',
    email: addressMeant(user, 'EMAIL', by) ?? '',
    subscriptions: {
      signupDate: subscriptions.map(({ createdAt }) => createdAt).toSorted(byTime)[0] ?? null,
      subscriptionEligibilities: subscriptions.map((one) => ({
        subscription: toSubscription(one),
        eligibility: {
          isEligible: one.status === 'subscribed',
          ineligibilityReason: one.status === 'subscribed' ? null : 'INELIGIBILITY_REASON_OPTED_OUT',
        },
      })),
    },
  };
}

/** The present state as a declared world, as far as one can declare it. */
import { readCodes } from '../features/offers/codes.ts';
import type { Fault } from '../http/faults.ts';
import { scopes } from '../http/scopes.ts';
import type { CollectionName } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toIso, type Clock } from '../time/clock.ts';
import type { Pace } from '../time/pace.ts';
import type { WorldDeclaration } from './schema.ts';

export interface SavedWorld {
  readonly world: WorldDeclaration;
  /** What is stored and cannot be declared, each as a few words. */
  readonly leftOut: readonly string[];
}

/** Collections that a world declares, or that follow from what it declares. */
const declared: readonly CollectionName[] = [
  'companies',
  'apps',
  'credentials',
  'users',
  'subscriptions',
  'signUpUnits',
  'attributeDefinitions',
  'attributeValues',
  'offers',
  'offerUploads',
  'webhooks',
  'settings',
];

/** Describes the present state as a world. Its keys and secrets are in it as they are. */
export async function saveWorld({
  store,
  clock,
  pace,
  faults,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly faults: readonly Fault[];
}): Promise<SavedWorld> {
  const all = <R>(records: Iterable<R>): readonly R[] => [...records];
  const nameOf = (companyId: string): string => store.companies.get(companyId)?.name ?? companyId;
  const keysOf = (appId: string): readonly string[] =>
    all(store.credentials.all())
      .filter((one) => one.appId === appId && one.kind === 'api-key' && one.revokedAt === null)
      .map(({ secret }) => secret);
  const codesOf = new Map<string, readonly string[]>();
  for (const { id } of all(store.offerUploads.all())) codesOf.set(id, await readCodes(store, id));
  const apps = all(store.apps.all());
  const webhooks = all(store.webhooks.all());

  const world: WorldDeclaration = {
    clock: {
      ...(clock.mode() === 'real'
        ? {}
        : { time: toIso(clock.now()), frozen: clock.mode() === 'frozen', rate: clock.state().rate }),
      pace,
    },
    companies: all(store.companies.all()).map(({ id, name, domain, contactEmail }) => ({
      id,
      name,
      domain,
      contactEmail,
    })),
    apps: apps.map((app) => {
      const [key] = keysOf(app.id);
      const granted = app.scopes.filter((one) => (scopes as readonly string[]).includes(one));
      return {
        name: app.name,
        company: nameOf(app.companyId),
        kind: app.kind,
        ...(granted.length === scopes.length ? {} : { scopes: granted as readonly (typeof scopes)[number][] }),
        ...(app.kind === 'private'
          ? key !== undefined && { key }
          : {
              clientId: app.clientId ?? '',
              clientSecret: app.clientSecret ?? '',
              redirectUris: app.redirectUris,
            }),
      };
    }),
    signUpUnits: all(store.signUpUnits.all()).map(({ companyId, ...unit }) => ({
      ...unit,
      company: nameOf(companyId),
    })),
    offers: all(store.offers.all()).map(({ id, companyId, name, window, apiUploads }) => ({
      id,
      company: nameOf(companyId),
      name,
      window,
      apiUploads,
      uploads: all(store.offerUploads.all())
        .filter(({ offerId }) => offerId === id)
        .map(({ id: uploadId, distributionStart: start, distributionStop: stop }) => ({
          codes: codesOf.get(uploadId) ?? [],
          ...(start === null ? {} : { start }),
          ...(stop === null ? {} : { stop }),
        })),
    })),
    attributes: all(store.attributeDefinitions.all()).map(({ companyId, name, type, values }) => ({
      company: nameOf(companyId),
      name,
      type,
      ...(values === null ? {} : { values }),
    })),
    subscribers: all(store.users.all()).map((user) => ({
      company: nameOf(user.companyId),
      addresses: user.addresses.map(({ value }) => value),
      clientUserIds: user.clientUserIds,
      shopifyIds: user.shopifyIds,
      klaviyoIds: user.klaviyoIds,
      customIdentifiers: user.customIdentifiers,
      subscriptions: all(store.subscriptions.all())
        .filter(({ userId }) => userId === user.id)
        .map(({ type, channel, address, status, signUpUnitId }) => ({
          type,
          channel,
          address,
          status,
          ...(signUpUnitId !== null && store.signUpUnits.get(signUpUnitId) ? { signUpUnit: signUpUnitId } : {}),
        })),
      attributes: Object.fromEntries(
        all(store.attributeValues.all())
          .filter(({ userId }) => userId === user.id)
          .map(({ name, value }) => [name, value]),
      ),
    })),
    webhooks: webhooks.flatMap(({ companyId, appId, url, events, signingKey, disabledAt }) => {
      const app = store.apps.get(appId);
      if (!app) return [];
      return [
        {
          company: nameOf(companyId),
          app: app.name,
          url,
          events: events as NonNullable<WorldDeclaration['webhooks']>[number]['events'],
          signingKey,
          disabled: disabledAt !== null,
        },
      ];
    }),
    faults: faults.flatMap(({ spec, hits }) => {
      const { delayMs, times, ...rest } = spec;
      if (times !== null && hits >= times) return [];
      const whole = { ...rest, delay: delayMs, times: times === null ? null : times - hits };
      return [Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null && value !== false))];
    }),
  };

  const extraKeys = apps.reduce((sum, { id }) => sum + Math.max(0, keysOf(id).length - 1), 0);
  const tokens = all(store.credentials.all()).filter(({ kind }) => kind === 'oauth-token').length;
  const far = webhooks.filter(({ reach }) => reach !== 'loopback').length;
  const counted: readonly (readonly [number, string, string])[] = [
    [extraKeys, 'further API key of an app', 'further API keys of apps'],
    [tokens, 'token of an installed app', 'tokens of installed apps'],
    [far, 'reach of a webhook beyond this machine', 'reaches of webhooks beyond this machine'],
    ...store.names
      .filter((name) => !declared.includes(name))
      .map((name) => [store.collection(name).size, ...(store.definitions[name]?.words ?? [name, name])] as const),
  ];
  return {
    world: withoutEmpty(world),
    leftOut: counted.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`])),
  };
}

/** Without lists and objects that hold nothing, at any depth; `companies` always stays. */
function withoutEmpty(world: WorldDeclaration): WorldDeclaration {
  return { ...(prune(world) as WorldDeclaration), companies: world.companies };
}

function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const isEmpty = typeof member === 'object' && member !== null && Object.keys(member).length === 0;
    return isEmpty && name !== 'addresses' && name !== 'codes' ? [] : [[name, prune(member)] as const];
  });
  return Object.fromEntries(kept);
}

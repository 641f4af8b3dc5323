import { toIso } from '../time/clock.ts';
import { makePrivateApp } from '../features/accounts/apps.ts';
import type { ClientKeys } from '../features/accounts/shapes.ts';
import { scopes, type Scope } from '../http/scopes.ts';
import { toGlobalId } from '../ids.ts';
import { addressMeant } from '../people/addresses.ts';
import { toSubscriptionId } from '../records/people.ts';
import type { Channel, OfferWindow, SubscriptionType } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { Users } from '../people/users.ts';

/**
 * The demo world's companies. Their ids never change, because people put the keys of the world into their .env files.
 */
export const demoCompany = toGlobalId('Company', 2);
export const otherCompany = toGlobalId('Company', 5);

/** The key that README, snippets and fixes name. */
export const demoKey = 'sandpiper-demo-key';

const readonlyKey = 'sandpiper-readonly-key';
const otherKey = 'sandpiper-other-key';
const demoClient = 'sandpiper-demo-client';
const clientSecret = 'sandpiper-demo-secret';

const demoOrigin = { by: 'demo', what: 'the demo world', requestId: null } as const;

/** The secrets of the demo data; they are public in this file, so nothing masks them. */
export const publicSecrets: readonly string[] = [demoKey, readonlyKey, otherKey, clientSecret];

/**
 * Fills an empty store with the demo world: two companies, their apps and keys, sign-up units, offers, an attribute
 * with fixed values and a handful of subscribers. The platform's UI or its operator could have made all of it.
 */
export function seedDemo(store: Store, users: Users, now: number): void {
  const createdAt = toIso(now);
  store.transact(() => {
    store.companies.put({
      id: demoCompany,
      name: 'Sandpiper Supply Co.',
      domain: 'sandpiper.attn.example',
      contactEmail: 'dev@sandpiper.example',
    });
    store.companies.put({
      id: otherCompany,
      name: 'Dunlin Outfitters',
      domain: 'dunlin.attn.example',
      contactEmail: 'dev@dunlin.example',
    });

    const app = (companyId: string, name: string, secret: string, granted: readonly Scope[]): void =>
      void makePrivateApp(store, { companyId, name, secret, scopes: granted }, now);
    app(demoCompany, 'Demo app', demoKey, scopes);
    app(demoCompany, 'Read-only app', readonlyKey, [
      'subscriptions:read',
      'product_catalogs:read',
      'privacy_requests:read',
    ]);
    app(otherCompany, 'Other company’s app', otherKey, scopes);
    store.apps.put({
      id: toGlobalId('Application', store.nextNumber()),
      companyId: demoCompany,
      kind: 'public',
      name: 'Demo public app',
      scopes,
      clientId: demoClient,
      clientSecret,
      redirectUris: ['http://localhost:3000/callback'],
    });

    const unit = (id: string, language: string, country: string, type: SubscriptionType): void => {
      store.signUpUnits.put({
        id,
        companyId: demoCompany,
        name: `API ${language}-${country} ${type.toLowerCase()}`,
        language,
        country,
        type,
      });
    };
    unit('100001', 'en', 'US', 'MARKETING');
    unit('100002', 'en', 'US', 'TRANSACTIONAL');
    unit('100003', 'fr', 'CA', 'MARKETING');
    unit('100004', 'fr', 'CA', 'MARKETING');

    const offer = (id: string, companyId: string, name: string, window: OfferWindow, apiUploads = true): void => {
      const made = {
        from: null,
        event: 'created',
        to: 'ACTIVE',
        by: 'hand',
        at: createdAt,
        why: 'Part of the demo world.',
      } as const;
      store.offers.put({
        id,
        companyId,
        name,
        window,
        apiUploads,
        createdAt,
        codeCount: 0,
        state: 'ACTIVE',
        enteredAt: createdAt,
        history: [made],
      });
    };
    offer('54100', demoCompany, 'Winter welcome', 'custom-time-period');
    offer('54101', demoCompany, 'Spring preview', 'custom-time-period');
    offer('54102', demoCompany, 'Thank you', 'never-expire');
    offer('54103', demoCompany, 'Counter sale', 'custom-time-period', false);
    offer('90001', otherCompany, 'Dunlin days', 'custom-time-period');

    store.attributeDefinitions.put({
      id: `${demoCompany}:favorite color`,
      companyId: demoCompany,
      name: 'favorite color',
      type: 'string',
      values: ['blue', 'green', 'red'],
      origin: 'ui',
      createdAt,
    });

    const person = (
      phone: string | null,
      email: string | null,
      wanted: readonly (readonly [SubscriptionType, Channel])[],
    ): void => {
      const user = users.findOrMake(demoCompany, { phone, email }, { at: createdAt, from: demoOrigin });
      for (const [type, channel] of wanted) {
        const of = { userId: user.id, type, channel, address: addressMeant(user, channel) ?? '' };
        store.subscriptions.put({
          id: toSubscriptionId(of),
          companyId: demoCompany,
          ...of,
          status: 'subscribed',
          signUpUnitId: type === 'MARKETING' ? '100001' : '100002',
          createdAt,
          updatedAt: createdAt,
          attempts: [{ at: createdAt, act: 'subscribe' }],
        });
      }
    };
    person('+15555550100', 'ada@example.com', [
      ['MARKETING', 'TEXT'],
      ['MARKETING', 'EMAIL'],
    ]);
    person('+15555550101', null, [
      ['MARKETING', 'TEXT'],
      ['TRANSACTIONAL', 'TEXT'],
    ]);
    person(null, 'grace@example.com', [['MARKETING', 'EMAIL']]);
    person('+15555550103', 'katherine@example.com', [
      ['TRANSACTIONAL', 'TEXT'],
      ['MARKETING', 'EMAIL'],
    ]);
    person('+15555550104', 'mary@example.com', []);
  });
}

/**
 * The key and the app that a newcomer is shown: those of the demo world, or the first ones of another world; null if it
 * has none.
 */
export function clientKeysOf(store: Store): ClientKeys {
  const keys = store.credentials
    .records()
    .filter(({ kind, revokedAt }) => kind === 'api-key' && revokedAt === null)
    .map(({ secret }) => secret);
  const apps = store.apps.records().filter(({ kind }) => kind === 'public');
  const app = apps.find(({ clientId }) => clientId === demoClient) ?? apps[0];
  return {
    key: keys.includes(demoKey) ? demoKey : (keys[0] ?? null),
    clientId: app?.clientId ?? null,
    clientSecret: app?.clientSecret ?? null,
  };
}

/** Whether nothing was ever put into a store. */
export function isEmpty(store: Store): boolean {
  return store.companies.size === 0;
}

/** The schema of a world file. Records are referred to by their names: `company: acme`. */
import {
  anyValue,
  boolean,
  described,
  list,
  map,
  nullable,
  object,
  oneOf,
  text,
  type View,
} from '../contract/shape.ts';
import { eventTypes } from '../contract/event-schemas.ts';
import { ownKey } from '../features/accounts/shapes.ts';
import { scopes } from '../http/scopes.ts';
import { faultFields } from '../http/shapes.ts';
import { offerWindow } from '../records/offers.ts';
import { attributeType, channel, subscriptionStatus, subscriptionType } from '../records/people.ts';

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
/** Texts that clients send, which have no such limit. */
const filled = { type: 'string', minLength: 1 } as const;
const number = { type: 'string', pattern: '^[1-9][0-9]{0,17}$', examples: ['54100'] } as const;
const timestamp = described('ISO 8601, such as 2026-12-01T00:00:00Z.', { type: 'string', format: 'timestamp' });
const company = described('The name of the company; it may be left out if there is only one.', name);

const companies = object({ name }, { id: name, domain: text, contactEmail: text });

const apps = object(
  { name },
  {
    company,
    kind: described('Default: private.', oneOf('private', 'public')),
    scopes: described('Default: all.', list(oneOf(...scopes))),
    key: described(
      'The API key of a private app; null for none. Default: a random one, which is the same after a reset.',
      nullable(ownKey),
    ),
    clientId: described('Public apps only.', name),
    clientSecret: described('Public apps only.', name),
    redirectUris: described('Public apps only.', list(text)),
  },
);

const signUpUnits = object(
  { language: text, country: text, type: subscriptionType },
  { company, id: described('The id that clients send as signUpSourceId.', number), name },
);

const offers = object(
  { name, window: offerWindow },
  {
    company,
    id: described('The id that clients send as coupon-pool-id.', number),
    apiUploads: described('Whether codes can be added by the API. Default: true.', boolean),
    uploads: described(
      'The codes, with the times between which they are given out.',
      list(object({ codes: list(filled) }, { start: timestamp, stop: timestamp })),
    ),
  },
);

const attributes = object(
  { name, type: attributeType },
  {
    company,
    values: described('The fixed set. Default: any value of the type.', list(text)),
    kept: described('Values that are no longer in the fixed set, but that subscribers still have.', list(text)),
  },
);

const subscribers = object(
  { addresses: described('Phones such as +15555550100, and email addresses.', list(filled)) },
  {
    company,
    clientUserIds: list(filled),
    shopifyIds: list(filled),
    klaviyoIds: list(filled),
    customIdentifiers: list(object({ name: filled, value: filled })),
    subscriptions: list(
      object(
        { type: subscriptionType, channel },
        {
          address: described('Default: the first address of the channel.', filled),
          status: described('Default: subscribed.', subscriptionStatus),
          signUpUnit: described(
            'The name or id of the unit; null for none. Default: the first one of the type.',
            nullable(name),
          ),
        },
      ),
    ),
    attributes: described('Name → value, for attributes that are declared.', map(anyValue)),
  },
);

const webhooks = object(
  {
    url: described('Starts with http:// or https://.', { type: 'string', format: 'http-url', maxLength: 2048 }),
    events: described('The event types that the webhook gets; an empty list for none.', list(oneOf(...eventTypes))),
  },
  {
    company,
    app: described('The name of the app. Default: the first one of the company.', name),
    appCompany: described('The company of the app, if another company installed it.', name),
    signingKey: { type: 'string', minLength: 8, examples: ['my-signing-key'] },
    disabled: boolean,
  },
);

const clock = object(
  {},
  {
    time: timestamp,
    frozen: boolean,
    rate: { type: 'number' },
    pace: oneOf('instant', 'realistic', 'manual'),
  },
);

/** The JSON Schema of world files. */
export const worldSchema = object(
  { companies: list(companies) },
  {
    $schema: described('The address at which an editor finds this schema.', text),
    clock,
    apps: list(apps),
    signUpUnits: list(signUpUnits),
    offers: list(offers),
    attributes: list(attributes),
    subscribers: list(subscribers),
    webhooks: described(
      'Webhooks, which reach only this machine until their reach is widened by hand.',
      list(webhooks),
    ),
    faults: described('Faults, as POST /control/faults accepts them.', list(faultFields)),
  },
);

/** A world as a file or a program declares it. */
export type WorldDeclaration = View<typeof worldSchema>;

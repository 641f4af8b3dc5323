import { assumed, documented, observed, orEmpty, readsMore, withLimits, type Infer } from '../../contract/schema.ts';

const types = { enum: ['MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED'] } as const;
const type = observed({ type: 'string', ...types });

const subscription = {
  type: 'object',
  required: ['type', 'channel'],
  properties: { type, channel: observed({ type: 'string', enum: ['TEXT', 'EMAIL'] }) },
} as const;

const phone = orEmpty(
  documented({
    type: ['string', 'null'],
    description: 'E.164: a plus sign, the country code and digits. Null and "" count as left out.',
    examples: ['+15555550100'],
  }),
  { format: 'e164' },
);

const email = orEmpty(
  documented({
    type: ['string', 'null'],
    description: 'An email address. Null and "" count as left out.',
    examples: ['ada@example.com'],
  }),
  { format: 'email' },
);

const identifier = observed({ type: ['string', 'null'], examples: ['customer-1001'] });

const externalIdentifiers = observed({
  type: 'object',
  properties: {
    clientUserId: identifier,
    shopifyId: identifier,
    klaviyoId: identifier,
    customIdentifiers: observed({
      description: 'A list of names and values; public clients also send a map.',
      examples: [[{ name: 'loyaltyId', value: 'L-1' }]],
      anyOf: [
        {
          type: 'array',
          items: { type: 'object', required: ['name', 'value'], properties: { name: identifier, value: identifier } },
        },
        { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      ],
    }),
  },
  examples: [{ clientUserId: 'customer-1001' }],
});

/** The body of POST /subscriptions (section 4, Subscribe; docs/platform.md, Subscriptions). */
export const subscribeBody = {
  type: 'object',
  description:
    'Either signUpSourceId, or locale and subscriptionType. The sender must have shown the required legal disclosure (Subscribe, 1); no server can check that.',
  required: ['user'],
  properties: {
    user: observed({
      type: 'object',
      properties: { phone, email, externalIdentifiers },
      examples: [{ phone: '+15555550100', email: 'ada@example.com' }],
    }),
    signUpSourceId: documented({
      type: 'string',
      description: 'The id of an API sign-up unit of this company.',
      examples: ['100001'],
    }),
    locale: readsMore(
      documented({
        // A text is accepted here so that a rule can refuse it, with a fix that uses its language and country.
        type: ['object', 'string'],
        description:
          'An object; case counts. A text such as "en-US" is refused with 400 (subscriptions.locale-object).',
        required: ['language', 'country'],
        properties: {
          language: observed({ type: 'string', examples: ['en'] }),
          country: observed({ type: 'string', examples: ['US'] }),
        },
        examples: [{ language: 'en', country: 'US' }],
      }),
      { type: 'object' },
    ),
    // The specification names the field, but not its values.
    subscriptionType: withLimits(documented({ type: 'string' }), types),
    externalIdentifiers,
    singleOptIn: observed({
      type: 'boolean',
      default: false,
      description: 'Whether to leave out the text that asks to reply Y.',
    }),
  },
  examples: [{ user: { phone: '+15555550100', email: 'ada@example.com' }, signUpSourceId: '100001' }],
} as const;

const echoedUser = observed({
  type: 'object',
  properties: {
    phone: observed({ type: 'string', examples: ['+15555550100'] }),
    email: observed({ type: 'string', examples: ['ada@example.com'] }),
  },
});

const echoedIdentifier = observed({ type: 'string', examples: ['customer-1001'] });

/** The answer of POST /subscriptions: one entry for each channel that the request identifies. */
export const subscribeReply = {
  type: 'object',
  required: ['user', 'subscriptionResponses'],
  properties: {
    user: echoedUser,
    externalIdentifiers: observed({
      type: 'object',
      properties: {
        clientUserId: echoedIdentifier,
        shopifyId: echoedIdentifier,
        klaviyoId: echoedIdentifier,
        customIdentifiers: observed({
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'value'],
            properties: { name: echoedIdentifier, value: echoedIdentifier },
          },
        }),
      },
    }),
    subscriptionResponses: observed({
      type: 'array',
      items: {
        type: 'object',
        required: ['subscription', 'subscriptionCreationStatus'],
        properties: {
          subscription: observed(subscription),
          subscriptionCreationStatus: observed({ type: 'string', enum: ['NEWLY_CREATED', 'PREVIOUSLY_CREATED'] }),
        },
      },
    }),
  },
} as const;

/** The query of GET /subscriptions. */
export const eligibilityQuery = {
  type: 'object',
  properties: {
    phone: documented({
      type: 'string',
      description: 'E.164; write the plus sign as %2B. Send phone, email, or both.',
      examples: ['+15555550100'],
    }),
    email: documented({
      type: 'string',
      description: 'Send phone, email, or both.',
      examples: ['ada@example.com'],
    }),
  },
} as const;

/** The answer of GET /subscriptions. */
export const eligibilityReply = {
  type: 'object',
  required: ['subscriptionEligibilities'],
  properties: {
    subscriptionEligibilities: observed({
      type: 'array',
      items: {
        type: 'object',
        required: ['subscription', 'eligibility'],
        properties: {
          subscription: observed(subscription),
          eligibility: observed({
            type: 'object',
            required: ['isEligible'],
            properties: {
              isEligible: assumed(
                { type: 'boolean' },
                'The field is observed, its values are not: true while subscribed, false once unsubscribed.',
              ),
            },
          }),
        },
      },
    }),
  },
} as const;

/** The body of POST /subscriptions/unsubscribe. */
export const unsubscribeBody = {
  type: 'object',
  required: ['user'],
  properties: {
    user: observed({ type: 'object', properties: { phone, email }, examples: [{ phone: '+15555550100' }] }),
    subscriptions: observed({
      type: 'array',
      description: 'The subscriptions to end; if left out or empty, all that the phone and the email locate.',
      items: subscription,
      examples: [[{ type: 'MARKETING', channel: 'TEXT' }]],
    }),
    notification: observed({
      type: 'object',
      properties: {
        language: observed({ type: 'string', enum: ['en-US', 'fr-CA'] }),
        disabled: observed({ type: 'boolean', default: false }),
      },
    }),
  },
  examples: [{ user: { phone: '+15555550100' } }],
} as const;

/** The answer of POST /subscriptions/unsubscribe. */
export const unsubscribeReply = {
  type: 'object',
  required: ['user', 'subscriptionResponses'],
  properties: {
    user: echoedUser,
    subscriptionResponses: observed({
      type: 'array',
      items: {
        type: 'object',
        required: ['subscription', 'subscriptionUnsubscribeStatus'],
        properties: {
          subscription: observed(subscription),
          subscriptionUnsubscribeStatus: observed({
            type: 'string',
            enum: ['NEWLY_UNSUBSCRIBED', 'PREVIOUSLY_UNSUBSCRIBED'],
          }),
        },
      },
    }),
  },
} as const;

export type SubscribeBody = Infer<typeof subscribeBody>;
export type UnsubscribeBody = Infer<typeof unsubscribeBody>;

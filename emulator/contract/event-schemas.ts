/**
 * The payload of every event type as a JSON Schema (section 6 names the types; for the fields see docs/platform.md,
 * Webhook deliveries). Other fields are not allowed, so a misspelt override is refused and not sent.
 */
import { assumed, observed, type Provenance, type Schema } from './schema.ts';
import type { View } from './shape.ts';

const company = observed({
  type: 'object',
  required: ['display_name', 'company_id'],
  additionalProperties: false,
  properties: {
    display_name: observed({ type: 'string', examples: ['Hudson & Ivy'] }),
    company_id: observed({ type: 'string', examples: ['MDc6Q29tcGFueTU'] }),
  },
} as const);

const listOfText = { type: 'array', items: { type: 'string' } } as const;

const externalIdentifiers = observed({
  type: 'object',
  additionalProperties: false,
  properties: {
    klaviyo_id: observed(listOfText),
    shopify_id: observed(listOfText),
    client_user_id: observed({ ...listOfText, examples: [['c-1']] }),
    custom_identifiers: observed({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      examples: [{ loyaltyId: ['1122334455'] }],
    }),
  },
} as const);

const subscriber = observed({
  type: 'object',
  required: ['external_id'],
  additionalProperties: false,
  properties: {
    email: observed({ type: 'string', examples: ['test@gmail.com'] }),
    phone: observed({ type: 'string', examples: ['+15555555555'] }),
    external_id: observed({ type: 'integer', examples: [16_467_358] }),
    external_identifiers: externalIdentifiers,
  },
} as const);

const creative = observed({
  type: 'object',
  required: ['name', 'type', 'subtype'],
  additionalProperties: false,
  properties: {
    name: observed({ type: 'string', examples: ['Text to Join'] }),
    type: observed({ type: 'string', examples: ['TEXT_TO_JOIN', 'API'] }),
    subtype: observed({
      type: 'string',
      examples: ['CODE', 'CHECKOUT', 'DIRECT', 'DOUBLE_OPT_IN', 'DOUBLE_OPT_IN_AFFILIATE', 'MANUAL'],
    }),
  },
} as const);

const subscription = observed({
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: observed({ type: 'string', enum: ['MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED'] }) },
} as const);

const messageTypes = [
  'AUTOMATED',
  'AUTOMATED_TRANSACTIONAL',
  'AUTO_RESPONSE',
  'CONFIRM_OPT_IN',
  'CUSTOMER_SERVICE',
  'FUZZY_OPT_OUT',
  'HELP',
  'ONE_TIME',
  'OPT_OUT',
] as const;

const messageHead = {
  id: observed({ type: 'string', examples: ['MDc6TWVzc2FnZTEyNzI1MA'] }),
  type: observed({ type: 'string', enum: messageTypes, examples: ['ONE_TIME'] }),
  name: observed({ type: 'string', examples: ['Sale'] }),
} as const;

const text = observed({
  type: 'object',
  required: ['id', 'type', 'name', 'text', 'channel'],
  additionalProperties: false,
  properties: {
    ...messageHead,
    text: observed({ type: 'string', examples: ['30% off: https://example.attn.tv/l/abc/123'] }),
    channel: observed({ type: 'string', const: 'TEXT' }),
  },
} as const);

const email = observed({
  type: 'object',
  required: ['id', 'type', 'name', 'subject', 'channel'],
  additionalProperties: false,
  properties: {
    ...messageHead,
    subject: observed({ type: 'string', examples: ['30% off'] }),
    channel: observed({ type: 'string', const: 'EMAIL' }),
  },
} as const);

/** The number from which every company sends texts. No real one is known, so it is made up. */
export const companyPhone = '+15555550199';

const inbound = observed({
  type: 'object',
  required: ['type', 'text', 'to_phone'],
  additionalProperties: false,
  properties: {
    type: observed({ type: 'string', const: 'TYPE_CONVERSATION' }),
    text: observed({ type: 'string', examples: ['Do you ship to Canada?'] }),
    to_phone: assumed(
      { type: 'string', examples: [companyPhone] },
      'Only the name of the field is known. The value is the number that the person wrote to; it is made up, the same for every company.',
    ),
  },
} as const);

const link = observed({
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: { url: observed({ type: 'string', examples: ['https://shop.example.com/deals'] }) },
} as const);

const userProperty = observed({
  type: 'object',
  required: ['id', 'name', 'value'],
  additionalProperties: false,
  properties: {
    id: observed({ type: 'string', examples: ['MTI6VXNlclByb3BlcnR5MQ'] }),
    name: observed({ type: 'string', examples: ['favorite color'] }),
    value: observed({ type: ['string', 'number', 'boolean'], examples: ['blue'] }),
  },
} as const);

interface Event {
  /** When the event is sent, in a sentence. */
  readonly says: string;
  /** `documented` for the eight types of section 6; the others are known from public clients, and none is made up. */
  readonly provenance: Exclude<Provenance, 'assumed'>;
  /** The fields of its payload besides type, time, company and subscriber. */
  readonly details: { readonly [name: string]: Schema };
}

/** Every event type that can be sent: the eight of section 6, then those that public clients know. */
export const events = {
  'sms.subscribed': {
    says: 'A person subscribed to texts.',
    provenance: 'documented',
    details: { creative, subscription },
  },
  'sms.sent': {
    says: 'A text was sent to a person.',
    provenance: 'documented',
    details: { message: text },
  },
  'sms.message_link_click': {
    says: 'A person opened a link in a text.',
    provenance: 'documented',
    details: { message: text, link },
  },
  'email.subscribed': {
    says: 'A person subscribed to emails.',
    provenance: 'documented',
    details: { creative, subscription },
  },
  'email.unsubscribed': {
    says: 'A person unsubscribed from emails.',
    provenance: 'documented',
    details: { subscription },
  },
  'email.message_link_click': {
    says: 'A person opened a link in an email.',
    provenance: 'documented',
    details: { message: email, link },
  },
  'email.opened': {
    says: 'A person opened an email.',
    provenance: 'documented',
    details: { message: email },
  },
  'custom_attribute.set': {
    says: 'An attribute of a person got a value.',
    provenance: 'documented',
    details: { user_property: userProperty },
  },
  'sms.unsubscribed': {
    says: 'A person unsubscribed from texts.',
    provenance: 'observed',
    details: { subscription },
  },
  'email.sent': {
    says: 'An email was sent to a person.',
    provenance: 'observed',
    details: { message: email },
  },
  'sms.inbound_message': {
    says: 'A person wrote a text to the company.',
    provenance: 'observed',
    details: { message: inbound },
  },
} as const satisfies { readonly [type: string]: Event };

export type EventType = keyof typeof events;

/** The fields of an event besides its type, time, company and person, with the names of the payload. */
export type EventDetails = { readonly [T in EventType]: DetailsOf<(typeof events)[T]['details']> };
type DetailsOf<Details> = { readonly [Name in keyof Details]: View<Details[Name]> };
export type Creative = View<typeof creative>;
export type TextFacts = View<typeof text>;
export type EmailFacts = View<typeof email>;
export type MessageType = TextFacts['type'];

/** Whether payloads can carry messages of this type; they carry none that a person wrote. */
export function isMessageType(type: string): type is MessageType {
  return messageTypes.some((one) => one === type);
}

/** The name of every event type, in this order. */
export const eventTypes = Object.keys(events) as readonly EventType[];

/**
 * Type → schema of its payload. A schema is the same object for the life of the process, so that it is compiled once.
 */
export const eventSchemas = Object.fromEntries(eventTypes.map((type) => [type, toSchema(type)])) as {
  readonly [T in EventType]: Schema & { readonly properties: { readonly [name: string]: Schema } };
};

function toSchema(type: EventType): Schema {
  const { details } = events[type];
  return {
    type: 'object',
    required: ['type', 'timestamp', 'company', 'subscriber', ...Object.keys(details)],
    additionalProperties: false,
    properties: {
      type: observed({ type: 'string', const: type }),
      timestamp: observed({ type: 'integer', description: 'Epoch milliseconds.', examples: [1_632_945_178_104] }),
      company,
      subscriber,
      ...details,
    },
  };
}

/** Whether a text is one of the event types; case counts. */
export function isEventType(value: string): value is EventType {
  return Object.hasOwn(events, value);
}

/** The channel of the message that an event is about; null if it is not about a sent message. */
export function messageChannelOf(type: EventType): TextFacts['channel'] | EmailFacts['channel'] | null {
  const { details } = events[type];
  if (!('message' in details) || !('channel' in details.message.properties)) return null;
  return details.message.properties.channel.const;
}

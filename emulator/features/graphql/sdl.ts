import { currencies } from '../../contract/currencies.ts';

/**
 * The schema of the endpoint: names and types as the platform's own introspection shows them (docs/platform.md,
 * GraphQL), with the two additions of section 2.5, `mediaUrl` and optional properties. The search for users by segments
 * and events (`usersExperimental`) is left out: the specification does not mention it. `CurrencyCode` has every code of
 * ISO 4217, not only the five that are often listed: that list is shortened.
 */
export function toSdl(): string {
  return `
schema { query: Query mutation: Mutation }

"An ISO 8601 timestamp; answers are in UTC with a Z."
scalar DateTime
"A text that contains JSON."
scalar JSON
"A whole number of at most 64 bits, as a number or a text."
scalar Long
scalar Empty

"ISO 4217."
enum CurrencyCode { CURRENCY_UNKNOWN ${[...currencies].join(' ')} }
enum IneligibilityReason {
  INELIGIBILITY_REASON_UNKNOWN INELIGIBILITY_REASON_OPTED_OUT INELIGIBILITY_REASON_NOT_FULLY_OPTED_IN
  INELIGIBILITY_REASON_AUTO_SUPPRESSED INELIGIBILITY_REASON_USER_SUPPRESSED INELIGIBILITY_REASON_KNOWN_LITIGATOR
}
enum SubscriptionChannel { CHANNEL_UNKNOWN CHANNEL_TEXT CHANNEL_EMAIL CHANNEL_PUSH }
enum SubscriptionType { TYPE_UNKNOWN TYPE_MARKETING TYPE_TRANSACTIONAL TYPE_CHECKOUT_ABANDONED }

interface Node { id: ID! }

type Query {
  node(id: ID!): Node
  "At most 100 ids; null if an id is unknown or belongs to another company."
  nodes(ids: [ID!]!): [Node]!
  "Who calls."
  viewer: Viewer
}

type Mutation {
  "Needs the scope events:write."
  createCustomEvent(input: CreateCustomEventInput!): CreateCustomEventPayload
  "Needs the scope attributes:write."
  setCustomAttributes(input: SetCustomAttributesInput!): SetCustomAttributesPayload
  "Needs the scope ecommerce:write."
  productViewEvent(input: SendProductViewEventInput!): SendProductViewEventPayload
  "Needs the scope ecommerce:write."
  addToCartEvent(input: SendAddProductToCartEventInput!): SendAddProductToCartEventPayload
  "Needs the scope ecommerce:write."
  productPurchaseEvent(input: SendProductPurchaseEventInput!): SendProductPurchaseEventPayload
  "Needs the scope subscriptions:write."
  subscribe(input: SubscribeInput!): SubscribePayload
  "Needs the scope subscriptions:write."
  unsubscribe(input: UnsubscribeInput!): UnsubscribePayload
  "Needs the scope webhooks:write."
  createWebhook(input: CreateWebhookInput!): CreateWebhookPayload
  "Needs the scope webhooks:write."
  updateWebhook(input: UpdateWebhookInput!): UpdateWebhookPayload
  "Needs the scope webhooks:write."
  deleteWebhook(input: DeleteWebhookInput!): DeleteWebhookPayload
}

type Viewer { installedApplication: InstalledApplication }
type InstalledApplication implements Node {
  id: ID!
  application: Application
  installerCompany: Company
  "Needs the scope webhooks:write."
  webhooks: [Webhook!]
}
type Application implements Node { id: ID! name: String! }
type Company implements Node {
  id: ID!
  name: String!
  "Null if no one has them. Needs the scope subscriptions:read."
  user(phone: String, email: String): User
}
type User implements Node {
  id: ID!
  company: Company
  subscribedPhone: String!
  email: String!
  firstName: String!
  lastName: String!
  city: String! @deprecated(reason: "deprecated")
  state: String! @deprecated(reason: "deprecated")
  zipcode: String! @deprecated(reason: "deprecated")
  country: String! @deprecated(reason: "deprecated")
  timezone: String! @deprecated(reason: "deprecated")
  subscriptions: SubscriptionConnection
}
type SubscriptionConnection { subscriptionEligibilities: [SubscriptionEligibility!]! signupDate: DateTime }
type SubscriptionEligibility { subscription: Subscription! eligibility: Eligibility! }
type Eligibility { isEligible: Boolean! ineligibilityReason: IneligibilityReason }
type Subscription {
  destinationAddress: DestinationAddress
  channel: SubscriptionChannel!
  type: SubscriptionType!
  created: DateTime
}
union DestinationAddress = DestinationEmail | DestinationPhone | DestinationPushToken
type DestinationEmail { value: String! }
type DestinationPhone { value: String! }
type DestinationPushToken { value: String! }
type Webhook implements Node { id: ID! url: String! events: [String!]! disabledAt: DateTime }

input EventUserInput {
  "E.164."
  phone: String
  email: String
  externalIdentifiers: EventUserExternalIdentifiersInput
}
input EventUserExternalIdentifiersInput { clientUserId: String customIdentifiers: [EventUserCustomIdentifierInput!] }
input EventUserCustomIdentifierInput { name: String! value: String! }
type EventUser { phone: String email: String externalIdentifiers: EventUserExternalIdentifiers }
type EventUserExternalIdentifiers { clientUserId: String customIdentifiers: [EventUserCustomIdentifier!]! }
type EventUserCustomIdentifier { name: String! value: String! }

input CreateCustomEventInput {
  "Case sensitive."
  type: String!
  "A text that contains a JSON object."
  properties: JSON
  "URL of an image that goes with an MMS."
  mediaUrl: String
  "Unique identifier of the event; a UUID is recommended."
  externalEventId: String
  "By default the time of the call. If older than 12 hours, the event starts no journeys."
  occurredAt: DateTime
  user: EventUserInput!
}
type CreateCustomEventPayload {
  type: String!
  occurredAt: DateTime!
  externalEventId: String!
  user: EventUser!
  properties: JSON!
}

input SetCustomAttributesInput {
  "A text that contains a JSON object: attribute name to value."
  properties: JSON!
  user: EventUserInput!
}
type SetCustomAttributesPayload { user: EventUser! properties: JSON! }

input EventVisitorInput { phone: String email: String }
type EventVisitor { phone: String email: String }
input MoneyInput {
  "A decimal number as a text."
  amount: String!
  currency: CurrencyCode
}
type Money { amount: String! currency: CurrencyCode }
input EcommerceProductInput {
  productId: String!
  productVariantId: String!
  productImage: String
  productName: String
  "Optional, while REST requires at least one."
  productPrices: [MoneyInput!]
  quantity: Long
}
type EcommerceProduct {
  productId: String!
  productVariantId: String!
  productImage: String
  productName: String
  productPrices: [Money!]!
  quantity: Long
}
input SendProductViewEventInput { occurredAt: DateTime visitor: EventVisitorInput! products: [EcommerceProductInput!] }
input SendAddProductToCartEventInput { occurredAt: DateTime visitor: EventVisitorInput! products: [EcommerceProductInput!] }
input SendProductPurchaseEventInput { occurredAt: DateTime visitor: EventVisitorInput! products: [EcommerceProductInput!] }
type SendProductViewEventPayload { occurredAt: DateTime visitor: EventVisitor! products: [EcommerceProduct!]! }
type SendAddProductToCartEventPayload { occurredAt: DateTime visitor: EventVisitor! products: [EcommerceProduct!]! }
type SendProductPurchaseEventPayload { occurredAt: DateTime visitor: EventVisitor! products: [EcommerceProduct!]! }

input UserInput { email: String phone: String }
input ExternalCustomIdentifiersInput { name: String! value: String! }
type ExternalCustomIdentifiers { name: String! value: String! }
input ExternalIdentifiersForSubscribeInput {
  clientUserId: String
  shopifyId: String
  klaviyoId: String
  customIdentifiers: [ExternalCustomIdentifiersInput!]
}
type ExternalIdentifiersForSubscribe {
  clientUserId: String
  shopifyId: String
  klaviyoId: String
  customIdentifiers: [ExternalCustomIdentifiers!]!
}
input LocaleForSubscribeInput { language: String! country: String! }
"Either signupSourceId, or both locale and type."
input SubscribeInput {
  user: UserInput!
  externalIdentifiers: ExternalIdentifiersForSubscribeInput
  signupSourceId: String
  locale: LocaleForSubscribeInput
  type: SubscriptionType
  singleOptIn: Boolean
}
type SubscribePayload { externalIdentifiers: ExternalIdentifiersForSubscribe subscribeResults: [Subscription!]! }
input SubscriptionInput { type: SubscriptionType! channel: SubscriptionChannel! }
input UnsubscribeNotificationInput { language: String disabled: Boolean }
input UnsubscribeInput {
  user: UserInput!
  "Left out or empty: all."
  subscriptions: [SubscriptionInput!]
  notification: UnsubscribeNotificationInput
}
type UnsubscribePayload { unsubscribeResults: [Subscription!]! }

input CreateWebhookInput { url: String! events: [String!] }
type CreateWebhookPayload { webhook: Webhook! }
input UpdateWebhookInput { id: ID! url: String! events: [String!] disabled: Boolean! }
type UpdateWebhookPayload { webhook: Webhook! }
input DeleteWebhookInput { id: ID! }
type DeleteWebhookPayload { deleted: Boolean! }
`;
}

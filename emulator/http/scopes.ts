/** The scopes of section 5. */
export const scopes = [
  'events:write',
  'ecommerce:write',
  'subscriptions:write',
  'subscriptions:read',
  'attributes:write',
  'privacy_requests:write',
  'privacy_requests:read',
  'webhooks:write',
  'offers:write',
  'product_catalogs:write',
  'product_catalogs:read',
  'identity:write',
  'segments:write',
  'segments:read',
] as const;

export type Scope = (typeof scopes)[number];

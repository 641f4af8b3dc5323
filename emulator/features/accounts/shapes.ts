/** The input that companies, apps and keys are made from. The control API has these shapes as they are. */
import { described, nullable, object, oneOf, text, type View } from '../../contract/shape.ts';
import { scopes } from '../../http/scopes.ts';

const companyName = { type: 'string', examples: ['Curlew Coffee'] } as const;
const companyAddresses = {
  domain: {
    type: 'string',
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9.-]+$',
    examples: ['curlew.attn.example'],
  },
  contactEmail: { type: 'string', format: 'email', examples: ['dev@curlew.example'] },
} as const;

/** A new company. The addresses are derived from the name if they are left out. */
export const companyFields = object({ name: companyName }, companyAddresses);
export type CompanyFields = View<typeof companyFields>;

/** The fields of a company that can be changed. */
export const companyChange = object({}, { name: companyName, ...companyAddresses });
export type CompanyChange = View<typeof companyChange>;

export const grantedScopes = {
  type: 'array',
  items: { type: 'string', enum: scopes },
  examples: [['subscriptions:write']],
} as const;
/** An API key that the developer chose. */
export const ownKey = {
  type: 'string',
  minLength: 8,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['my-own-api-key'],
} as const;
const appName = { type: 'string', examples: ['My app'] } as const;
/** Only for public apps. */
const redirectUris = {
  type: 'array',
  maxItems: 50,
  items: { type: 'string', maxLength: 2048 },
  examples: [['http://localhost:3000/callback']],
} as const;

/** A new app. `secret` is the first API key of a private app; by default a random one. */
export const appFields = object(
  { companyId: text, kind: oneOf('private', 'public'), name: appName, scopes: grantedScopes },
  { redirectUris, secret: ownKey },
);
export type AppFields = View<typeof appFields>;

/** The fields of an app that can be changed. */
export const appChange = object({}, { name: appName, scopes: grantedScopes, redirectUris });
export type AppChange = View<typeof appChange>;

/** One scope of an app: granted, or taken away. */
export const scopeChange = object(
  { scope: { ...grantedScopes.items, examples: ['webhooks:write'] }, held: { type: 'boolean' } },
  {
    credentialId: described('A token of the app that gets the same change, as if its company had agreed again.', text),
  },
);
export type ScopeChange = View<typeof scopeChange>;

/**
 * The credentials to set up a client with: an API key, and a public app's client id and secret; each null if there is
 * none.
 */
export const clientKeys = object({ key: nullable(text), clientId: nullable(text), clientSecret: nullable(text) });
export type ClientKeys = View<typeof clientKeys>;

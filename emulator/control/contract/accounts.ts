import { described, nullable, object, text, type View } from '../../contract/shape.ts';
import {
  appChange,
  appFields,
  companyChange,
  companyFields,
  grantedScopes,
  ownKey,
  scopeChange,
} from '../../features/accounts/shapes.ts';
import { credentials } from '../../records/accounts.ts';
import type { CallTable } from '../call.ts';
import { done } from './parts.ts';

/** A new company, with the key of its first app, unmasked. */
const newCompany = object({ ...done.properties, appId: text, credentialId: text, key: text });
export type NewCompanyView = View<typeof newCompany>;

/** A new app or a new key. */
const newKey = object({
  ...done.properties,
  key: described('The new key, unmasked; null for a public app, which has none until it is installed.', nullable(text)),
});
export type NewKeyView = View<typeof newKey>;

export const accountCalls = {
  'POST /control/companies': {
    summary: 'Create a company, with a first app that may do everything; the answer shows its key',
    changes: true,
    body: companyFields,
    status: 201,
    reply: newCompany,
  },
  'POST /control/companies/{id}': {
    summary: 'Change a company: only the fields that are sent',
    changes: true,
    body: companyChange,
    reply: done,
  },
  'DELETE /control/companies/{id}': {
    summary: 'Delete a company with all its records',
    changes: true,
    reply: done,
  },
  'POST /control/apps': {
    summary: 'Create an app: a private one with an API key, or a public one with a client id and secret',
    changes: true,
    body: appFields,
    status: 201,
    reply: newKey,
  },
  'POST /control/apps/{id}': {
    summary: 'Change an app: only the fields that are sent; the keys of a private app follow its scopes',
    changes: true,
    body: appChange,
    reply: done,
  },
  'POST /control/apps/{id}/scopes': {
    summary: 'Grant one scope to an app, or take it away; the keys of a private app follow',
    changes: true,
    body: scopeChange,
    reply: done,
  },
  'DELETE /control/apps/{id}': {
    summary: 'Delete an app with its keys, tokens, codes and webhooks',
    changes: true,
    reply: done,
  },
  'POST /control/apps/{id}/keys': {
    summary: 'Create an API key for a private app; `replaces: true` revokes its other keys',
    changes: true,
    body: object({}, { secret: ownKey, replaces: { type: 'boolean', default: false } }),
    status: 201,
    reply: newKey,
  },
  'GET /control/apps/{id}/secret': {
    summary: 'The client secret of a public app, unmasked',
    asOf: 'now',
    reply: object({ secret: nullable(text) }),
  },
  'POST /control/apps/{id}/secret': {
    summary: 'Give a public app another client secret; the previous one stops working',
    changes: true,
    status: 201,
    reply: done,
  },
  'GET /control/credentials/{id}/secret': {
    summary: 'A key or a token, unmasked',
    asOf: 'now',
    reply: object({ secret: text }),
  },
  'POST /control/credentials': {
    summary: 'Create a private app with an API key; the answer shows the whole key',
    changes: true,
    body: object(
      { companyId: text },
      {
        name: { type: 'string', minLength: 1, maxLength: 100, examples: ['My app'] },
        scopes: grantedScopes,
        secret: ownKey,
      },
    ),
    status: 201,
    reply: credentials.schema,
  },
  'DELETE /control/credentials/{id}': {
    summary: 'Revoke a credential: from now on it is answered with 401',
    changes: true,
    reply: null,
  },
} as const satisfies CallTable;

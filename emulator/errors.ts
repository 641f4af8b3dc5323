import { assumed, documented, observed, type Schema } from './contract/schema.ts';
import type { Dialect } from './http/endpoint.ts';

/** A failure of the developer's own doing that the command line or the control API explains in one line. */
export class UserError extends Error {}

/**
 * The body of a refusal in the platform's own dialect (docs/platform.md, Error bodies).
 * @param reference an int64 that names this answer, for the offers dialect
 * @param ruleId in the OAuth dialect the rule's last part is the RFC 6749 error code
 */
export function toErrorBody(
  dialect: Dialect,
  status: number,
  message: string,
  reference: number,
  ruleId: string,
): { readonly [key: string]: unknown } {
  switch (dialect) {
    case 'offers':
      return { error: { id: reference, message } };
    case 'privacy':
      return status === 400 ? { error: message } : { message };
    case 'oauth':
      return { error: toOAuthCode(status, ruleId), error_description: message };
    case 'graphql':
      return { errors: [{ message }], extensions: { traceId: reference.toString(16).padStart(16, '0') } };
    case 'message':
    case 'control':
      return { message };
  }
}

/** RFC 6749 section 5.2. Rules of the token endpoint are named `oauth.<code>` or `oauth.<code>.<what>`. */
function toOAuthCode(status: number, ruleId: string): string {
  const [group, code] = ruleId.split('.');
  if (group === 'oauth' && code) return code.replaceAll('-', '_');
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The schemas of those bodies, for the OpenAPI document. */
export const errorBodies = {
  message: {
    type: 'object',
    required: ['message'],
    properties: {
      message: assumed(
        { type: 'string' },
        'The platform documents no body for these statuses; generic clients read `message` first.',
      ),
    },
  },
  offers: {
    type: 'object',
    required: ['error'],
    properties: {
      error: observed({
        type: 'object',
        required: ['id', 'message'],
        properties: { id: observed({ type: 'integer', format: 'int64' }), message: observed({ type: 'string' }) },
      }),
    },
  },
  privacy: {
    anyOf: [
      { type: 'object', required: ['error'], properties: { error: documented({ type: 'string' }) } },
      {
        type: 'object',
        required: ['message'],
        properties: { message: assumed({ type: 'string' }, 'Only the 400 of this operation has a documented body.') },
      },
    ],
  },
  oauth: {
    type: 'object',
    required: ['error', 'error_description'],
    properties: {
      error: assumed(
        { type: 'string', examples: ['invalid_grant'] },
        'The platform documents no error of this operation; RFC 6749 section 5.2 does.',
      ),
      error_description: assumed({ type: 'string' }, 'RFC 6749 section 5.2.'),
    },
  },
  graphql: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: observed({ type: 'array', items: { type: 'object' } }),
      extensions: documented({ type: 'object' }),
    },
  },
  control: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
} as const satisfies { readonly [D in Dialect]: Schema };

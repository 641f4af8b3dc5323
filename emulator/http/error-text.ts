/** The bodies of error answers, each in the form of its part of the platform. */
import { assumed, documented, observed, type Schema } from '../contract/schema.ts';

/** The form of error bodies (docs/platform.md, Error bodies). */
export type Dialect = 'message' | 'offers' | 'privacy' | 'oauth' | 'graphql' | 'control';

/** The content of an error answer, before it is written in a dialect. */
export interface ErrorFacts {
  readonly status: number;
  readonly message: string;
  /** An int64 that names this answer, for the offers dialect. */
  readonly reference: number;
  /** The rule's code, if it has one. */
  readonly code?: string | undefined;
  /** The elements that the object store adds to code and message, by name. */
  readonly details?: { readonly [name: string]: string };
  /** The refusal, which the control API adds to the message: its callers are Sandpiper's own, so they get all of it. */
  readonly refusal?: object | undefined;
  /** What a GraphQL error says about the refusal besides its code. */
  readonly additions?: { readonly rule: string; readonly section: string; readonly fix: object };
  /** For a record that does not take a move, in the control API: its state, and the moves that it takes. */
  readonly move?: object | undefined;
}

/** An error reply as it is sent. */
export interface ErrorText {
  readonly type: string;
  readonly text: string;
}

/** The forms of error bodies: those of the operations, and the object store's. */
export type ErrorDialect = Dialect | 's3';

/** The last step of every error answer: writes it in the platform's own dialect (docs/platform.md, Error bodies). */
export function toErrorText(dialect: ErrorDialect, facts: ErrorFacts): ErrorText {
  if (dialect === 's3') return { type: 'application/xml', text: toXml(facts) };
  return { type: 'application/json; charset=utf-8', text: JSON.stringify(toErrorBody(dialect, facts)) };
}

/** The JSON body of an error answer. */
function toErrorBody(
  dialect: Dialect,
  { status, message, reference, code, refusal, additions, move }: ErrorFacts,
): { readonly [key: string]: unknown } {
  switch (dialect) {
    case 'offers':
      return { error: { id: reference, message } };
    case 'privacy':
      return status === 400 ? { error: message } : { message };
    case 'oauth':
      return {
        error: code ?? toOauthCode(status),
        error_description: toDescription(message),
      };
    case 'graphql':
      return {
        errors: [{ message, extensions: { code: toGraphqlCode(status), ...additions } }],
        extensions: { traceId: reference.toString(16).padStart(16, '0') },
      };
    case 'message':
      return { message };
    case 'control':
      return { message, ...move, ...(refusal && { refusal }) };
  }
}

/** The codes of GraphQL errors that servers commonly use for these statuses. */
export const graphqlCodes: { readonly [status: number]: string } = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
};

function toGraphqlCode(status: number): string {
  return graphqlCodes[status] ?? (status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST');
}

/** The code of RFC 6749 that fits a status best, if no rule names one. */
function toOauthCode(status: number): string {
  if (status === 401) return 'invalid_client';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The message in the characters that RFC 6749, sections 4.1.2.1 and 5.2, allows in an `error_description`. */
export function toDescription(message: string): string {
  const plain = message.replaceAll(/["“”’]/g, "'").replaceAll('…', '...');
  return plain.replaceAll(/[^\x20-\x7e]|\\/g, '?');
}

/** The S3 code that fits a status best, if no rule names one. */
const s3Codes: { readonly [status: number]: string } = {
  400: 'InvalidRequest',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'OperationAborted',
  411: 'MissingContentLength',
  429: 'SlowDown',
  500: 'InternalError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

/** The XML with which an S3-style store answers a refused request. */
function toXml({ status, message, code, details }: ErrorFacts): string {
  const word = code ?? s3Codes[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError');
  const elements = Object.entries({ Code: word, Message: message, ...details });
  const inner = elements.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/**
 * Text that is valid in XML 1.0. Characters that XML cannot contain even when escaped (control characters) become
 * U+FFFD.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"'\r]/g, (character) => entities[character] ?? character);
}

/**
 * The schemas of error bodies, for the OpenAPI document of the platform. The control API has its own in its contract.
 */
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
} as const satisfies { readonly [D in Exclude<Dialect, 'control'>]: Schema };

import type { Schema } from './schema.ts';

/** An operation as the document needs it; endpoint values fit. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly dialect: string;
  readonly summary: string;
  readonly section: string;
  readonly provenance: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly body: { readonly type: 'json' | 'form'; readonly schema: Schema; readonly required: boolean } | null;
  readonly replies: { readonly [status: number]: Schema | null };
  readonly replyType?: string;
  readonly errors: readonly number[];
}

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly server: string;
  readonly operations: readonly Operation[];
  /** The schema of error bodies, by dialect. */
  readonly errorBodies: { readonly [dialect: string]: Schema };
  /** What the bearer token is, in a sentence. */
  readonly bearer: string;
}

type Json = { readonly [key: string]: unknown };

/**
 * The OpenAPI 3.1 document of a list of operations. It is made from the same values that answer requests, so it cannot
 * be staler than the server. Where a shape comes from stands in `x-provenance`, the specification's section in `x-section`.
 */
export function toOpenApi({
  title,
  description,
  version,
  server,
  operations,
  errorBodies,
  bearer,
}: DocumentOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = toOperation(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: bearer } },
      schemas: Object.fromEntries(
        Object.entries(errorBodies).map(([dialect, schema]) => [toErrorName(dialect), schema]),
      ),
    },
  };
}

function toOperation(operation: Operation): Json {
  const { params, query, body, access } = operation;
  const parameters = [...toParameters(params, 'path'), ...toParameters(query, 'query')];
  return {
    operationId: toOperationId(operation),
    summary: operation.summary,
    tags: [toTag(operation)],
    'x-section': operation.section,
    'x-provenance': operation.provenance,
    ...(access === 'anyone' ? { security: [] } : access === 'optional' ? { security: [{ bearer: [] }, {}] } : {}),
    ...(access.includes(':') ? { 'x-scope': access } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: body.required, content: { [mediaTypes[body.type]]: { schema: body.schema } } } }
      : {}),
    responses: toResponses(operation),
  };
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

function toParameters(schema: Schema | null, where: 'path' | 'query'): readonly Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: inner,
  }));
}

function toResponses({ replies, errors, access, body, dialect, replyType }: Operation): Json {
  const answers = Object.entries(replies).map(([status, schema]): [string, Json] => [
    status,
    {
      description: statusWords[status] ?? 'Answered',
      ...(schema ? { content: { [replyType ?? 'application/json']: { schema } } } : {}),
    },
  ]);
  const refusals = new Set([...errors, ...(access === 'anyone' ? [] : [401, 403]), ...(body ? [413, 415] : [])]);
  const error = {
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${toErrorName(dialect)}` } } },
  };
  const failures = [...refusals]
    .toSorted((one, other) => one - other)
    .filter((status) => !(status in replies))
    .map((status): [string, Json] => [String(status), { description: statusWords[status] ?? 'Refused', ...error }]);
  return Object.fromEntries([...answers, ...failures]);
}

/** What the platform says of a status (docs/platform.md, Error bodies); 413 and 415 are our own words. */
export const statusWords: { readonly [status: string]: string } = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  302: 'Redirect',
  303: 'Redirect',
  400: 'Invalid parameter in request query or body',
  401: 'Unauthorized',
  403: 'Access Denied',
  404: 'The specified resource was not found',
  405: 'The path does not take this method',
  413: 'The body is larger than the operation reads',
  415: 'The body is not of the type that the operation reads',
  429: 'The user has sent too many requests in a given amount of time',
  500: 'Internal Server Error',
};

function toErrorName(dialect: string): string {
  return `${dialect[0]?.toUpperCase()}${dialect.slice(1)}Error`;
}

function toTag({ path }: { readonly path: string }): string {
  const [first = '', second] = path.split('/').filter((part) => part !== '');
  return first === 'control' && second ? second : first;
}

/** `POST /events/custom` → `postEventsCustom`. */
function toOperationId({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

import { mapValues, toContract } from './contract-form.ts';
import { errorStatuses } from './error-statuses.ts';
import { exampleOf, type Schema } from './schema.ts';
import { statusWords } from './status-words.ts';

/** An operation as the document needs it; endpoint values fit. */
export interface Operation {
  /** The operation's name in generated clients; null derives one from method and path. */
  readonly operationId: string | null;
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
  readonly replyHeaders?: { readonly [name: string]: Schema } | null;
  readonly replyType?: string;
  readonly errors: readonly number[];
  /**
   * Operations that take a value from this operation's reply: `operationId` → parameter → JSON pointer into the reply.
   */
  readonly links?: { readonly [operationId: string]: { readonly [parameter: string]: string } } | null;
}

/** An event that the service sends by itself, for the document's `webhooks`. */
export interface SentEvent {
  readonly type: string;
  readonly schema: Schema;
}

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly server: string;
  readonly operations: readonly Operation[];
  /** The schema of error bodies, by dialect. */
  readonly errorBodies: { readonly [dialect: string]: Schema };
  /** Whether the 401 of an operation that needs a token has no body. */
  readonly hasEmpty401?: boolean;
  /** One sentence that describes the bearer token. */
  readonly bearer: string;
  /** Where to get a token with scopes; left out if there are no scopes. */
  readonly oauth?: { readonly authorizationUrl: string; readonly tokenUrl: string; readonly scopes: readonly string[] };
  readonly events?: readonly SentEvent[];
  /** Tag → the subject of its operations, if it has several. A tag is the first part of a path. */
  readonly tags?: { readonly [tag: string]: string };
}

type Json = { readonly [key: string]: unknown };

/**
 * The OpenAPI 3.1 document of a list of operations. It is generated from the values that handle the requests, so it
 * cannot be out of date. `x-provenance` says where a shape comes from, `x-section` the specification's section. Bodies
 * are named schemas, each with an example that the demo world accepts.
 */
export function toOpenApi(options: DocumentOptions): Json {
  const { title, description, version, server, operations, errorBodies, bearer, oauth, events = [] } = options;
  const { hasEmpty401 = false, tags = {} } = options;
  const schemas: Record<string, Json> = Object.fromEntries(
    Object.entries(errorBodies).map(([dialect, schema]) => [toErrorName(dialect), toContract(schema)]),
  );
  const name = (as: string, schema: Schema): Json => {
    schemas[as] = toContract(schema);
    return { $ref: `#/components/schemas/${as}` };
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = toOperation(operation, name, {
      hasScopes: oauth !== undefined,
      hasEmpty401,
    });
  }
  const webhooks = Object.fromEntries(events.map((event) => [event.type, { post: toWebhook(event, name) }]));
  return {
    openapi: '3.1.0',
    info: { title, description, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    tags: toTags(operations, tags),
    paths,
    ...(events.length > 0 ? { webhooks } : {}),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: bearer },
        ...(oauth ? { oauth: toOAuthScheme(oauth) } : {}),
      },
      schemas,
    },
  };
}

type Name = (as: string, schema: Schema) => Json;

function toOperation(
  operation: Operation,
  name: Name,
  { hasScopes, hasEmpty401 }: { readonly hasScopes: boolean; readonly hasEmpty401: boolean },
): Json {
  const { params, query, body, access } = operation;
  const operationId = toOperationId(operation);
  const parameters = [...toParameters(params, 'path'), ...toParameters(query, 'query')];
  return {
    operationId,
    summary: operation.summary,
    tags: [toTag(operation)],
    'x-section': operation.section,
    'x-provenance': operation.provenance,
    ...toSecurity(access, hasScopes),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: body.required, content: toRequestContent(operationId, body, name) } } : {}),
    responses: toResponses(operation, operationId, name, hasEmpty401 && access !== 'anyone'),
  };
}

function toRequestContent(operationId: string, body: NonNullable<Operation['body']>, name: Name): Json {
  const schema = name(`${capitalized(operationId)}Request`, body.schema);
  return { [mediaTypes[body.type]]: { schema, example: exampleOf(body.schema) } };
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

function toSecurity(access: string, hasScopes: boolean): Json {
  if (access === 'anyone') return { security: [] };
  if (access === 'optional') return { security: [{ bearer: [] }, {}] };
  if (!access.includes(':')) return hasScopes ? { security: [{ bearer: [] }, { oauth: [] }] } : {};
  return { security: [{ bearer: [] }, { oauth: [access] }], 'x-scope': access };
}

function toOAuthScheme({ authorizationUrl, tokenUrl, scopes }: NonNullable<DocumentOptions['oauth']>): Json {
  return {
    type: 'oauth2',
    description: 'OAuth 2.0 for public apps, specification section 5.',
    flows: {
      authorizationCode: {
        authorizationUrl,
        tokenUrl,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, toScopeWords(scope)])),
      },
    },
  };
}

/** `privacy_requests:write` → `Write privacy requests`. */
function toScopeWords(scope: string): string {
  const [area = '', act = ''] = scope.split(':');
  return `${capitalized(act)} ${area.replaceAll('_', ' ')}`;
}

function toWebhook({ type, schema }: SentEvent, name: Name): Json {
  const words = type.split(/[^A-Za-z]+/).map(capitalized);
  return {
    operationId: `on${words.join('')}`,
    summary: `Delivery of ${type}`,
    tags: ['deliveries'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: name(`${words.join('')}Event`, schema), example: exampleOf(schema) },
      },
    },
    responses: {
      '2XX': { description: 'Accepted' },
      default: { description: 'Not accepted: delivered again later' },
    },
  };
}

function toParameters(schema: Schema | null, where: 'path' | 'query'): readonly Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, inner]) => {
    const schema = toContract(inner);
    const [example] = (schema['examples'] ?? []) as readonly unknown[];
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });
}

function toResponses(operation: Operation, operationId: string, name: Name, hasEmpty401: boolean): Json {
  const { replies, replyHeaders, dialect, replyType, links } = operation;
  const first = Object.keys(replies)[0];
  const answers = Object.entries(replies).map(([status, schema]): [string, Json] => {
    const as = `${capitalized(operationId)}${status === first ? 'Response' : `Response${status}`}`;
    return [
      status,
      {
        description: statusWords[status] ?? 'Answered',
        ...(replyHeaders ? { headers: mapValues(replyHeaders, toHeader) } : {}),
        ...(schema ? { content: { [replyType ?? 'application/json']: { schema: name(as, schema) } } } : {}),
        ...(links && status === first ? { links: toLinks(links) } : {}),
      },
    ];
  });
  const error = {
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${toErrorName(dialect)}` } } },
  };
  const failures = [...errorStatuses(operation)]
    .toSorted((one, other) => one - other)
    .filter((status) => !(status in replies))
    .map((status): [string, Json] => [
      String(status),
      { description: statusWords[status] ?? 'Refused', ...(hasEmpty401 && status === 401 ? {} : error) },
    ]);
  return Object.fromEntries([...answers, ...failures]);
}

function toHeader(shape: unknown): Json {
  const { description, ...schema } = toContract(shape as Schema);
  return { description, schema };
}

function toLinks(links: NonNullable<Operation['links']>): Json {
  return Object.fromEntries(
    Object.entries(links).map(([operationId, parameters]) => [
      operationId,
      {
        operationId,
        parameters: Object.fromEntries(
          Object.entries(parameters).map(([name, pointer]) => [name, `$response.body#${pointer}`]),
        ),
      },
    ]),
  );
}

function toErrorName(dialect: string): string {
  return `${capitalized(dialect)}Error`;
}

function toTag({ path }: { readonly path: string }): string {
  const [first = '', second] = path.split('/').filter((part) => part !== '');
  return first === 'control' && second ? second : first;
}

/** Every tag with its subject, which for a single operation is the summary of that. */
function toTags(operations: readonly Operation[], subjects: NonNullable<DocumentOptions['tags']>): readonly Json[] {
  const summaries = new Map<string, readonly string[]>();
  for (const operation of operations) {
    const tag = toTag(operation);
    summaries.set(tag, [...(summaries.get(tag) ?? []), operation.summary]);
  }
  return [...new Set([...summaries.keys(), ...Object.keys(subjects)])].toSorted().map((name) => {
    const [summary, another] = summaries.get(name) ?? [];
    const description = subjects[name] ?? (another === undefined && summary ? `${summary}.` : undefined);
    return { name, ...(description === undefined ? {} : { description }) };
  });
}

/** `POST /events/custom` → `postEventsCustom`, if the operation has no name of its own. */
function toOperationId({ operationId, method, path }: Operation): string {
  if (operationId !== null) return operationId;
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map(capitalized).join('');
}

function capitalized(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}

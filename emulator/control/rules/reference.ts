/** The reference: a page for each operation, event, record, rule and limit, made from the values that are in use. */
import { STATUS_CODES } from 'node:http';
import { toFields } from '../../contract/fields.ts';
import { errorStatuses } from '../../contract/error-statuses.ts';
import { toContract } from '../../contract/contract-form.ts';
import { statusWords } from '../../contract/status-words.ts';
import { exampleOf, type Schema } from '../../contract/schema.ts';
import { events, eventSchemas, eventTypes } from '../../contract/event-schemas.ts';
import { catalogRules } from '../../features/catalog/check/rules.ts';
import type { Features } from '../../features/index.ts';
import { commonRules } from '../../http/common-rules.ts';
import { operationName, type Endpoint } from '../../http/endpoint.ts';
import { lifecycleKinds, type LifecycleKind } from '../../lifecycles.ts';
import type { Urls } from '../../net/urls.ts';
import { toKind } from '../../records/kind.ts';
import { definitions } from '../../records/definitions.ts';
import type { Definition } from '../../records/definition.ts';
import { requestLimits } from '../../time/pace.ts';
import { behaviours } from './behaviours.ts';
import type { ReferenceKind, ReferencePage } from '../contract/reference.ts';
import { objectOperation } from '../../objects/presign.ts';
import { maxFileBytes, objectRules } from '../../objects/rules.ts';
import { toSource, type AnyRule } from '../../rules.ts';
import { allRules } from './rule-registry.ts';

type Fact = ReferencePage['facts'][number];
type Related = ReferencePage['related'][number];

const nothing = { reason: '', facts: [], fields: [], moves: [], examples: [], related: [] } as const;

/** All pages, in the order of the contract. Their examples call the given addresses. */
export function toReference(
  { operations, rootOperations }: Pick<Features, 'operations' | 'rootOperations'>,
  urls: Pick<Urls, 'api' | 'auth'>,
): readonly ReferencePage[] {
  const refusing: readonly { readonly id: string; readonly rules: readonly AnyRule[] }[] = [
    ...[...operations, ...rootOperations].map((one) => ({ id: operationName(one), rules: one.rules ?? [] })),
    { id: objectOperation, rules: Object.values(objectRules) },
  ];
  return [
    ...operations.map((operation) => toOperationPage(operation, urls.api)),
    objectPage,
    ...rootOperations.map((operation) => toOperationPage(operation, urls.auth)),
    ...eventTypes.map(toEventPage),
    ...Object.entries(definitions).map(([name, definition]) => toRecordPage(name, definition as Definition)),
    ...allRules.map((rule) => ({
      ...toRulePage(rule),
      facts: [
        fact('Status', `${rule.status} ${statusWords[rule.status] ?? ''}`.trim()),
        fact('Code', rule.code),
        fact('Refuses', commonRules.includes(rule) ? 'requests to any operation' : null),
      ].flat(),
      related: refusing
        .filter(({ rules }) => rules.includes(rule))
        .map(({ id }) => ({ kind: 'operation' as const, id })),
    })),
    ...catalogRules.map((rule) => ({
      ...toRulePage(rule),
      facts: [fact('Smallest fix', rule.fix), fact('Found in', 'a line of a catalog file')].flat(),
    })),
    ...behaviours.map(({ id, says, source, provenance, reason = '' }) => ({
      ...nothing,
      kind: 'limit' as const,
      id,
      title: id,
      says,
      source: toSource(source),
      provenance,
      reason,
    })),
  ];
}

function toRulePage(rule: {
  readonly id: string;
  readonly says: string;
  readonly section: string;
  readonly provenance: ReferencePage['provenance'];
  readonly reason?: string;
}): ReferencePage {
  const { id, says, section, provenance, reason = '' } = rule;
  return { ...nothing, kind: 'rule', id, title: id, says, source: toSource(section), provenance, reason };
}

function toOperationPage(operation: Endpoint, base: string): ReferencePage {
  const { summary, section, provenance, access, params, query, body, replies, errors, rules } = operation;
  const id = operationName(operation);
  const refusals = [...errorStatuses(operation)].filter((status) => !(status in replies));
  const limit = (requestLimits.operations as { readonly [name: string]: number })[id] ?? requestLimits.others;
  const fields = [
    { title: 'Path', rows: params ? toFields(params) : [] },
    { title: 'Query', rows: query ? toFields(query) : [] },
    { title: 'Body', rows: body ? toFields(body.schema) : [] },
    ...Object.entries(replies).map(([status, schema]) => ({
      title: `Answer ${status}`,
      rows: schema ? toFields(schema) : [],
    })),
  ];
  return {
    ...nothing,
    kind: 'operation',
    id,
    title: id,
    says: `${summary}.`,
    source: toSource(section),
    provenance,
    facts: [
      fact('Needs', accessWords[access] ?? `the scope ${access}`),
      fact('Answers', Object.keys(replies).map(toStatus).join('\n')),
      fact(
        'Refuses with',
        refusals
          .toSorted((one, other) => one - other)
          .map(String)
          .map(toStatus)
          .join('\n'),
      ),
      fact('Largest body', body && toSize(body.limit)),
      fact('Limit', errors.includes(429) ? `${limit} requests a second for each token` : null),
    ].flat(),
    fields: fields.filter(({ rows }) => rows.length > 0),
    examples: ofPages.has(id) ? [] : [{ title: 'Example', text: toCurl(operation, base) }],
    related: (rules ?? []).map((rule): Related => ({ kind: 'rule', id: rule.id })),
  };
}

const objectStatuses = [...new Set(Object.values(objectRules).map(({ status }) => String(status)))].toSorted();

/** The object store has its own code, because a file stays a stream (objects/router.ts). */
const objectPage: ReferencePage = {
  ...nothing,
  kind: 'operation',
  id: objectOperation,
  title: objectOperation,
  says: 'Send the file of an upload to the address in the answer of POST /product-catalog/uploads.',
  source: toSource('4, Product catalog upload flow, 2'),
  provenance: 'documented',
  facts: [
    fact('Needs', 'the signature in the address, and no credential'),
    fact('Answers', toStatus('200')),
    fact('Refuses with', objectStatuses.map(toStatus).join('\n')),
    fact('Largest body', toSize(maxFileBytes)),
  ].flat(),
  related: Object.values(objectRules).map((rule): Related => ({ kind: 'rule', id: rule.id })),
};

/** Operations that only a browser calls, from a page that it shows. They have no example for a shell. */
const ofPages: ReadonlySet<string> = new Set(['GET /graphql', 'POST /integrations/oauth-install']);

const accessWords: { readonly [access: string]: string } = {
  bearer: 'any valid key or token',
  anyone: 'no credential',
  optional: 'a credential for some of its forms',
};

function toEventPage(type: (typeof eventTypes)[number]): ReferencePage {
  const schema = eventSchemas[type];
  return {
    ...nothing,
    kind: 'event',
    id: type,
    title: type,
    says: `Sent to each webhook that lists ${type}.`,
    ...(events[type].provenance === 'documented'
      ? { source: toSource('6'), provenance: 'documented' }
      : { source: 'docs/platform.md, Webhooks', provenance: 'observed' }),
    facts: [fact('Payload', 'not shown by the specification: its fields are observed or assumed')].flat(),
    fields: [{ title: 'Payload', rows: toFields(schema) }],
    examples: [
      { title: 'Payload', text: JSON.stringify(exampleOf(schema), null, 2) },
      { title: 'Send one', text: `npx sandpiper trigger ${type}` },
    ],
  };
}

function toRecordPage(name: string, definition: Definition): ReferencePage {
  const kind = toKind(name);
  const [one, many] = definition.words;
  const lifecycle = (lifecycleKinds as { readonly [collection: string]: LifecycleKind })[name];
  const owner =
    definition.person === null ? (definition.hasCompany ? 'a company' : 'the sandbox') : 'a person of a company';
  return {
    ...nothing,
    kind: 'record',
    id: kind,
    title: `${many.slice(0, 1).toUpperCase()}${many.slice(1)}`,
    says: `The stored fields of ${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one}, which belongs to ${owner}.`,
    source: toSource('sandbox'),
    provenance: 'assumed',
    reason: 'How the platform stores its data is not public.',
    facts: [fact('First state', lifecycle?.table.initial)].flat(),
    fields: [{ title: 'Fields', rows: toFields(definition.schema) }],
    moves: (lifecycle?.table.rows ?? []).map(({ from, event, to, by, why, source }) => ({
      from,
      event,
      to,
      by: by.join(', '),
      why,
      section: toSource(source.section),
      provenance: source.provenance,
    })),
    examples: [{ title: 'List them', text: `npx sandpiper records ${kind}` }],
  };
}

/** A curl command that the demo world accepts, unless it names a record that is not there. */
function toCurl({ method, path, params, query, body, access }: Endpoint, base: string): string {
  const inPath = (params ? exampleOf(params) : {}) as { readonly [name: string]: unknown };
  const properties = (params as { readonly properties?: { readonly [name: string]: object } } | null)?.properties ?? {};
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath[name] ?? exampleOf(properties[name] ?? {}))),
  );
  const pairs = query ? toQueryPairs(query) : [];
  const url = `${base}${filled}${pairs.length > 0 ? `?${new URLSearchParams([...pairs]).toString()}` : ''}`;
  const lines = [
    method === 'GET' ? `curl '${url}'` : `curl -X ${method} '${url}'`,
    ...(access === 'anyone' ? [] : [`-H 'Authorization: Bearer sandpiper-demo-key'`]),
    ...(body ? toBodyLines(body) : []),
  ];
  return lines.join(' \\\n  ');
}

function toBodyLines({ type, schema }: NonNullable<Endpoint['body']>): readonly string[] {
  const example = exampleOf(schema);
  if (type === 'form') return toPairs(example).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(example))}`];
}

/** The required query parameters, or the first one if none is required: some operations take exactly one of two. */
function toQueryPairs(query: Schema): readonly [string, string][] {
  const required = toPairs(exampleOf(toContract(query) as Schema));
  if (required.length > 0) return required;
  const [first] = Object.entries(
    (query as { readonly properties?: { readonly [name: string]: object } }).properties ?? {},
  );
  return first ? [[first[0], String(exampleOf(first[1]))]] : [];
}

function toPairs(value: unknown): [string, string][] {
  return Object.entries(value as object).map(([name, one]) => [name, String(one)]);
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** `64 KB`, `51.9 MB`, `2 GB`. */
function toSize(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  if (megabytes < 1) return `${bytes / 1024} KB`;
  return megabytes < 1024 ? `${Math.round(megabytes * 10) / 10} MB` : `${megabytes / 1024} GB`;
}

function toStatus(status: string): string {
  return `${status} ${statusWords[status] ?? STATUS_CODES[status] ?? ''}`.trim();
}

/** Returns an empty list if there is no value. */
function fact(name: string, value: string | null | undefined): readonly Fact[] {
  return value ? [{ name, value }] : [];
}

/** The names of each kind, in the singular and plural. */
export const referenceWords: { readonly [K in ReferenceKind]: readonly [one: string, many: string] } = {
  operation: ['Operation', 'Operations'],
  event: ['Event', 'Events'],
  record: ['Record', 'Records'],
  rule: ['Rule', 'Rules'],
  limit: ['Limit', 'Limits and behaviours'],
};

import { expect } from 'vitest';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { formats } from '../../emulator/contract/formats.ts';
import { toOpenApi } from '../../emulator/contract/openapi.ts';
import { undoHeaders } from '../../emulator/control/call.ts';
import { errorBodies } from '../../emulator/http/error-text.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly type?: string | readonly string[] };
}

type Document = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: {
              readonly required: boolean;
              readonly content: Readonly<Record<string, { readonly schema: object }>>;
            };
            readonly responses: Readonly<
              Record<
                string,
                {
                  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
                  readonly headers?: Readonly<Record<string, { readonly schema: object }>>;
                }
              >
            >;
          }
        >
      >
    >
  >;
  readonly components: object;
};

/** Rules that may refuse any request before its operation is known: no such path, wrong method, foreign host. */
const beforeOperation = new Set([
  'request.unknown-path',
  'request.not-emulated',
  'request.method',
  'request.host',
  'request.path-encoding',
  'request.http',
]);

interface Loaded {
  readonly document: Document;
  readonly ajv: Ajv2020;
  /** The paths as regular expressions; a literal path comes before one with a parameter in that place. */
  readonly paths: readonly { readonly template: string; readonly pattern: RegExp }[];
  /** The compiled checks by their place, or by the text of a reply's schema: most are a reference to the same error. */
  readonly checks: Map<string, ValidateFunction>;
}

/** Every emulator has the same documents. They are compiled once, because that takes longer than most tests. */
let apiDocument: Loaded | undefined;
let controlDocument: Promise<Loaded> | undefined;

const documentId = 'https://sandpiper.example/openapi.json';

/** Checks that a reply conforms to the OpenAPI document: its status is named, and its body fits the schema. */
export function expectConformance(
  emulator: Emulator,
  method: string,
  url: string,
  answer: Response,
  body: unknown,
  text: string,
): void {
  if (!url.startsWith(emulator.apiUrl) || beforeOperation.has(answer.headers.get('x-sandbox-rule') ?? '')) return;
  apiDocument ??= load(emulator);
  expectToFit(apiDocument, method, new URL(url).pathname.slice('/v1'.length), answer, body, text);
}

/** Checks a reply of the control API against its own document. */
export async function expectControlConformance(
  emulator: Emulator,
  method: string,
  url: string,
  answer: Response,
  body: unknown,
  text: string,
): Promise<void> {
  controlDocument ??= loadControl(emulator);
  const loaded = await controlDocument;
  const { pathname } = new URL(url);
  const isNone = answer.status === 404 && !loaded.paths.some(({ pattern }) => pattern.test(pathname));
  if (!isNone) expectToFit(loaded, method, pathname, answer, body, text);
}

/**
 * Checks that an accepted request conforms to the document too, as a proxy that validates by the document would check
 * it. The request is one of the API or of the control API, as the arguments of `fetch`.
 */
export async function expectDescribed(emulator: Emulator, url: string, request: RequestInit): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  if (url.startsWith(`${emulator.inspectorUrl}/control/`)) {
    controlDocument ??= loadControl(emulator);
    expectInputToFit(await controlDocument, pathname, searchParams, request);
  } else if (url.startsWith(emulator.apiUrl)) {
    apiDocument ??= load(emulator);
    expectInputToFit(apiDocument, pathname.slice('/v1'.length), searchParams, request);
  }
}

function expectInputToFit(
  loaded: Loaded,
  path: string,
  query: URLSearchParams,
  { method = 'GET', headers, body }: RequestInit,
): void {
  const { template, operation, verb } = findOperation(loaded, method, path);
  if (!operation) return;
  const { parameters = [], requestBody } = operation;
  const sent = `${method} ${path} was accepted`;
  const expectValue = (name: string, value: unknown, ...place: readonly (string | number)[]): void => {
    const { validate, errors } = toCheck(loaded, ['paths', template, verb, ...place, 'schema']);
    expect(validate(value), `${sent} with a ${name} outside its document: ${errors()}\n${JSON.stringify(value)}`).toBe(
      true,
    );
  };
  for (const [at, { name, in: where, required, schema }] of parameters.entries()) {
    const text = query.get(name);
    if (where !== 'query' || (text === null && !required)) continue;
    const isText = [schema.type].flat().includes('string') || text === null;
    expectValue(`parameter ${name}`, isText ? text : (JSON.parse(text) as unknown), 'parameters', at);
  }
  const text = Buffer.from((body ?? '') as string).toString();
  const { 'content-type': type = '', 'content-encoding': encoding } = Object.fromEntries(new Headers(headers));
  if (!requestBody || encoding !== undefined) return;
  if (text === '')
    return expect(requestBody.required, `${sent} without the body that its document requires`).toBe(false);
  const [media = ''] = type.split(';');
  expect(Object.keys(requestBody.content), `${sent} as ${type}`).toContain(media);
  const value: unknown = media.includes('json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  expectValue('body', value, 'requestBody', 'content', media);
}

function expectToFit(
  loaded: Loaded,
  method: string,
  path: string,
  answer: Response,
  body: unknown,
  text: string,
): void {
  const { template, operation, verb } = findOperation(loaded, method, path);
  if (!operation) throw new Error(`The OpenAPI document has no ${method} ${path}.`);
  const response = operation.responses[answer.status];
  expect(
    response,
    `${method} ${path} answered ${answer.status}, which its document does not name: ${text}`,
  ).toBeDefined();
  for (const name of Object.values(undoHeaders)) {
    const value = answer.headers.get(name);
    const schema = response?.headers?.[name]?.schema;
    if (value !== null)
      expect(
        loaded.ajv.validate(schema ?? false, value),
        `${method} ${path} ${answer.status} has ${name}: ${value}`,
      ).toBe(true);
  }
  const content = Object.entries(response?.content ?? {})[0];
  if (!content) {
    expect(text, `${method} ${path} ${answer.status} has no body in its document`).toBe('');
    return;
  }
  const [type, { schema }] = content;
  expect(answer.headers.get('content-type') ?? '', `${method} ${path} ${answer.status}`).toContain(type);
  if (!type.includes('json')) return;
  const place = ['paths', template, verb, 'responses', answer.status, 'content', type, 'schema'];
  const { validate, errors } = toCheck(loaded, place, JSON.stringify(schema));
  expect(validate(body), `${method} ${path} ${answer.status} answered outside its document: ${errors()}\n${text}`).toBe(
    true,
  );
}

function findOperation({ document, paths }: Loaded, method: string, path: string) {
  const verb = method.toLowerCase();
  const template = paths.find((one) => document.paths[one.template]?.[verb] && one.pattern.test(path))?.template ?? '';
  return { template, operation: document.paths[template]?.[verb], verb };
}

/** The check of a schema of the document. @param key the text of the schema, if several places have the same one */
function toCheck({ ajv, checks }: Loaded, place: readonly (string | number)[], key = place.join(' ')) {
  const validate = checks.get(key) ?? ajv.compile({ $ref: `${documentId}#${place.map(toPointer).join('')}` });
  checks.set(key, validate);
  return { validate, errors: () => ajv.errorsText(validate.errors) };
}

async function loadControl(emulator: Emulator): Promise<Loaded> {
  const answer = await fetch(`${emulator.inspectorUrl}/control/control-openapi.json`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  return toLoaded((await answer.json()) as Document);
}

function load(emulator: Emulator): Loaded {
  const document = toOpenApi({
    title: 'under test',
    description: '',
    version: '0',
    server: emulator.apiUrl,
    operations: emulator.operations,
    errorBodies,
    bearer: '',
  }) as unknown as Document;
  return toLoaded(document);
}

function toLoaded(document: Document): Loaded {
  // Optimizing the code would take as long as writing it.
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check);
  ajv.addFormat('idn-email', formats.email);
  // As validators know it, which accept ASCII only.
  ajv.addFormat('email', /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/);
  // Added as one schema with an id, so that parts that several replies share are compiled once. A public linter checks
  // the document.
  ajv.addSchema(document, documentId, undefined, false);
  const paths = Object.keys(document.paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((template) => ({ template, pattern: toPattern(template) }));
  return { document, ajv, paths, checks: new Map() };
}

function toPointer(step: string | number): string {
  return `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

function toPattern(template: string): RegExp {
  const pattern = template.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\\\{[^}]+\\\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}

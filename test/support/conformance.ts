import { expect } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { formats } from '../../emulator/contract/formats.ts';
import { toOpenApi } from '../../emulator/contract/openapi.ts';
import { errorBodies } from '../../emulator/errors.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';

type Document = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
            >;
          }
        >
      >
    >
  >;
  readonly components: object;
};

/** Statuses that any request may get before it is an operation's: no such path, wrong method, foreign host. */
const beforeOperation = new Set([
  'request.unknown-path',
  'request.not-emulated',
  'request.method',
  'request.host',
  'request.path-encoding',
  'request.http',
]);

const cache = new WeakMap<Emulator, { readonly document: Document; readonly ajv: Ajv2020 }>();

/** Every answer in the test run conforms to the OpenAPI document: its status is named, and its body fits the schema. */
export async function expectConformance(
  emulator: Emulator,
  method: string,
  url: string,
  answer: Response,
  body: unknown,
  text: string,
): Promise<void> {
  if (!url.startsWith(emulator.apiUrl) || beforeOperation.has(answer.headers.get('x-sandbox-rule') ?? '')) return;
  const { document, ajv } = cache.get(emulator) ?? load(emulator);
  const path = new URL(url).pathname.slice('/v1'.length);
  const template = Object.keys(document.paths).find((one) => matches(one, path));
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no ${method} ${path}.`);
  const response = operation.responses[answer.status];
  expect(
    response,
    `${method} ${path} answered ${answer.status}, which its document does not name: ${text}`,
  ).toBeDefined();
  const content = Object.entries(response?.content ?? {})[0];
  if (!content) {
    expect(text, `${method} ${path} ${answer.status} has no body in its document`).toBe('');
    return;
  }
  const [type, { schema }] = content;
  expect(answer.headers.get('content-type') ?? '', `${method} ${path} ${answer.status}`).toContain(type);
  if (!type.includes('json')) return;
  const validate = ajv.compile({ ...schema, components: document.components });
  expect(
    validate(body),
    `${method} ${path} ${answer.status} answered outside its document: ${ajv.errorsText(validate.errors)}\n${text}`,
  ).toBe(true);
}

function load(emulator: Emulator) {
  const document = toOpenApi({
    title: 'under test',
    description: '',
    version: '0',
    server: emulator.apiUrl,
    operations: emulator.operations,
    errorBodies,
    bearer: '',
  }) as unknown as Document;
  const ajv = new Ajv2020({ strict: false });
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check);
  const loaded = { document, ajv };
  cache.set(emulator, loaded);
  return loaded;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\\\{[^}]+\\\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`).test(path);
}

/** What callers may write. The type check reads this file: each line below an expected error must be one. */
import { expect, test } from 'vitest';
import { splitName, toUrlPath } from '../../emulator/control/call.ts';
import { calls, streams, type Reply } from '../../emulator/control/calls.ts';
import type { ControlClient } from '../../emulator/control/client/control-client.ts';
import { streamMessage } from '../../emulator/control/contract/stream.ts';

/** Compiled, never run. */
export async function write({ call }: ControlClient): Promise<void> {
  const params = { id: 'msg_1' };
  const act: Reply<'POST /control/messages/{id}/acts'> = await call('POST /control/messages/{id}/acts', {
    params,
    body: { act: 'open' },
  });
  // @ts-expect-error the answer to an act has no `basis`
  void act.basis.says;
  // @ts-expect-error there is no such call
  await call('GET /control/person');
  // @ts-expect-error a parameter is missing
  await call('GET /control/people/{id}');
  // @ts-expect-error a parameter of another name
  await call('GET /control/people/{id}', { params: { name: 'x' } });
  // @ts-expect-error no such value in the body
  await call('POST /control/pace', { body: { pace: 'slow' } });
  // @ts-expect-error the body is missing
  await call('POST /control/pace');
  // @ts-expect-error a body where none is taken
  await call('GET /control/clock', { body: {} });
  // @ts-expect-error no such member of the query
  await call('GET /control/people', { query: { company: 'x' } });
}

test('the URL of a call has its parameters and its query in place, encoded', () => {
  expect(splitName('GET /control/people/{id}').method).toBe('GET');
  expect(toUrlPath('GET /control/people/{id}', { params: { id: 'a/b c' } })).toBe('/control/people/a%2Fb%20c');
  const query = { search: '+1 555', limit: 2, group: undefined };
  expect(toUrlPath('GET /control/people', { query })).toBe('/control/people?search=%2B1+555&limit=2');
});

/** Objects whose members are not named, each with the reason: every other one of the contract names all of its own. */
const open: { readonly [place: string]: string } = {
  'POST /control/requests/har reply/log': 'HAR 1.2 says what is in an archive.',
  'GET /control/openapi.json reply': 'OpenAPI 3.1 says what is in the document.',
  'GET /control/control-openapi.json reply': 'OpenAPI 3.1 says what is in the document.',
  'GET /control/event-types reply/types/[]/schema': 'JSON Schema says what is in it.',
  'GET /control/snapshots/{name}/export reply': 'A snapshot is a file format of its own.',
  'GET /control/export reply': 'A snapshot is a file format of its own.',
  'GET /control/catalog/{companyId}/products reply/products/[]':
    'A product is as it was uploaded, also with fields that the specification does not name.',
  'POST /control/import body': 'A snapshot is checked by its own format, with sentences of its own.',
  'POST /control/faults body': 'What is not a member of a fault is refused later, with the nearest one that there is.',
  'GET /control/world reply/world': 'A world file has a schema of its own, schema/world.schema.json.',
};

interface AnySchema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: AnySchema };
  readonly additionalProperties?: boolean | AnySchema;
  readonly items?: AnySchema | false;
  readonly anyOf?: readonly AnySchema[];
}

/** The places at which an object may have unnamed members; a map names the schema of its values. */
function openObjects(schema: AnySchema, place: string): readonly string[] {
  const { type, properties, additionalProperties, items, anyOf } = schema;
  const isOpen =
    [type].flat().includes('object') && additionalProperties !== false && typeof additionalProperties !== 'object';
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => openObjects(member, `${place}/${name}`)),
    ...(typeof additionalProperties === 'object' ? openObjects(additionalProperties, `${place}/*`) : []),
    ...(items ? openObjects(items, `${place}/[]`) : []),
    ...(anyOf ?? []).flatMap((one) => openObjects(one, place)),
  ];
}

test('every object of the contract is closed, except those that are open for a reason', () => {
  const found = Object.entries(calls).flatMap(([name, call]) =>
    (['query', 'body', 'reply'] as const).flatMap((part) => {
      const schema = (call as { readonly [part: string]: unknown })[part];
      return schema ? openObjects(schema as AnySchema, `${name} ${part}`) : [];
    }),
  );
  const all = [...found, ...openObjects(streamMessage as AnySchema, 'stream')];
  const entryOf = (place: string) => Object.keys(open).find((one) => place === one || place.startsWith(`${one}/`));
  expect(all.filter((place) => entryOf(place) === undefined)).toEqual([]);
  expect(Object.keys(open).filter((one) => !all.includes(one))).toEqual([]);
});

test('no stream is a call, and each says why it is not', () => {
  expect(Object.keys(streams).filter((name) => name in calls)).toEqual([]);
  expect(Object.values(streams).every((why) => why.length > 20)).toBe(true);
});

interface Shape {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly examples?: readonly string[];
}

/** Every text of a fixed form in a schema, whatever it is in. */
function textsOf(schema: unknown, at: string): readonly (readonly [at: string, shape: Shape])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, minLength = 0 } = schema as Shape;
  const own = typeof pattern === 'string' || minLength > 1;
  const below = Object.entries(schema).flatMap(([name, value]) => textsOf(value, `${at} ${name}`));
  return own ? [[at, schema as Shape], ...below] : below;
}

test('every text of a fixed form that a control call takes has an example of that form', () => {
  const texts = Object.entries(calls).flatMap(([name, call]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => textsOf(part in call && call[part as never], name)),
  );
  expect(texts.length).toBeGreaterThan(10);
  const wrong = texts.filter(([, { pattern = '', minLength = 0, examples: [example = ''] = [] }]) => {
    return example.length < minLength || !new RegExp(pattern, 'u').test(example) || example === '';
  });
  expect(wrong.map(([at]) => at)).toEqual([]);
});

/** A shape that is served, stored or streamed is written once, as a schema; its type follows from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { calls } from '../../emulator/control/calls.ts';
import { streamMessage } from '../../emulator/control/contract/stream.ts';
import { definitions } from '../../emulator/records/definitions.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const root = fileURLToPath(new URL('../..', import.meta.url));

/** With fewer, two shapes have the same names by chance. */
const fewestNames = 3;

const graphqlInput = 'GraphQL has optional members that may be null, which the body of REST may not have.';
const operationInput = 'What REST and GraphQL have in common; the groups with the schemas do not import one another.';

/** Types that have the names of a shape, and another meaning: file → type → why. */
const noCopies: { readonly [file: string]: { readonly [type: string]: string } } = {
  'emulator/control/people/person-history.ts': {
    toHistory: 'Its offset and limit are numbers; those of the query are text.',
  },
  'emulator/features/catalog/generate.ts': { Made: 'It can be built with mistakes, which the shape does not allow.' },
  'emulator/features/catalog/products.ts': {
    ProductQuery: 'Its offset and limit are numbers; those of the query are text.',
  },
  'emulator/features/graphql/mutations.ts': {
    CustomEventFields: graphqlInput,
    UnsubscribeFields: graphqlInput,
    UserInput: graphqlInput,
  },
  'emulator/features/graphql/operations.ts': {
    CustomEventInput: operationInput,
    EcommerceInput: operationInput,
    SubscribeInput: operationInput,
    SubscribeOutcome: operationInput,
    UnsubscribeInput: operationInput,
  },
  'emulator/feed.ts': { FeedEvent: 'It names collections, where the stream names kinds.' },
  'emulator/lifecycles.ts': { KindTable: 'The rows of a table have functions; the reply tells their results.' },
  'emulator/machine/table.ts': {
    TableDefinition: 'The rows of a table have functions; the reply tells their results.',
  },
  'emulator/people/users.ts': { Identifiers: 'Each member can be null or undefined: not given.' },
  'emulator/time/journey.ts': { JumpProgress: 'Its moments are epoch milliseconds; those of the reply are ISO 8601.' },
  'emulator/world/snapshots.ts': { Restored: 'It names collections, where the reply names kinds.' },
};

type Names = string;
const toNames = (names: readonly string[]): Names => names.toSorted().join(' ');

/** The object shapes in a schema, at every depth, as the names of their members → where the first one is. */
function addShapes(shapes: Map<Names, string>, value: unknown, place: string): void {
  if (Array.isArray(value)) return value.forEach((one) => addShapes(shapes, one, place));
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { readonly properties?: object };
  if (properties && typeof properties === 'object') {
    const names = toNames(Object.keys(properties));
    if (!shapes.has(names)) shapes.set(names, place);
  }
  for (const [name, one] of Object.entries(value))
    addShapes(shapes, one, properties === one ? place : `${place}.${name}`);
}

/** The types that a source file writes out, as a name and the names of their members. */
function* writtenTypes(
  name: string,
  whole: string,
): Generator<{ readonly type: string; readonly names: readonly string[] }> {
  const scripts = [...whole.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  const text = name.endsWith('.vue') ? scripts.join('\n') : whole;
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const source = ts.createSourceFile(name, text, options, false, ts.ScriptKind.TS);
  const open: { readonly node: ts.Node; readonly type: string }[] = [{ node: source, type: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const named =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isFunctionDeclaration(node)
        ? (node.name?.text ?? '')
        : ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)
          ? node.name.text
          : '';
    const type = named || next.type;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
      const names = node.members.map((member) => member.name?.getText(source));
      if (names.every((one) => one !== undefined) && names.length >= fewestNames) yield { type, names };
    }
    ts.forEachChild(node, (child) => void open.push({ node: child, type }));
  }
}

function findShapes(): ReadonlyMap<Names, string> {
  const shapes = new Map<Names, string>();
  for (const [name, { query, body, reply, params }] of Object.entries<object & { [part: string]: unknown }>(calls))
    addShapes(shapes, { params, query, body, reply }, name);
  addShapes(shapes, streamMessage, 'the stream');
  for (const [name, { schema }] of Object.entries(definitions)) addShapes(shapes, schema, `the record ${name}`);
  for (const operation of sandbox.emulator.operations)
    addShapes(shapes, operation, `${operation.method} ${operation.path}`);
  return shapes;
}

function copiesIn(file: string, text: string, shapes: ReadonlyMap<Names, string>) {
  return [...writtenTypes(file, text)].flatMap(({ type, names }) => {
    const place = shapes.get(toNames(names));
    return place === undefined ? [] : [{ file, type, place }];
  });
}

const copy = 'interface Keys { readonly clientSecret: string | null; readonly key: string; clientId?: string }';
test.each([
  ['an interface', 'keys.ts', copy, 'Keys'],
  ['a type of an object', 'keys.ts', 'type Keys = { key: string; clientId: string; clientSecret: string }', 'Keys'],
  ['a parameter', 'keys.ts', 'function show(keys: { key: string; clientId: string; clientSecret: string }) {}', 'show'],
  [
    'a type of a component',
    'Keys.vue',
    `<script setup lang="ts">\n${copy}\n</script>\n<template>{ a }</template>`,
    'Keys',
  ],
])('%s with the members of a reply is found', (_what, file, text, type) => {
  expect(copiesIn(file, text, findShapes())).toEqual([{ file, type, place: 'GET /control/client-keys.reply' }]);
});

test('no type repeats the members of a shape that has a schema', () => {
  const shapes = findShapes();
  const files = ['emulator', 'renderer', 'electron'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|vue)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const copies = files.flatMap((file) => copiesIn(file, readFileSync(join(root, file), 'utf8'), shapes));
  const isListed = ({ file, type }: { readonly file: string; readonly type: string }): boolean =>
    noCopies[file]?.[type] !== undefined;
  expect(copies.filter((one) => !isListed(one))).toEqual([]);
  const listed = Object.entries(noCopies).flatMap(([file, types]) =>
    Object.keys(types).map((type) => ({ file, type })),
  );
  const isThere = (one: { readonly file: string; readonly type: string }): boolean =>
    copies.some(({ file, type }) => file === one.file && type === one.type);
  expect(listed.filter((one) => !isThere(one))).toEqual([]);
});

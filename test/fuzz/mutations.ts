import {
  buildSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql';
import type { Schema, Shape } from '../../emulator/contract/schema.ts';
import { toSdl } from '../../emulator/features/graphql/sdl.ts';

/** A mutation of GraphQL, and the shape of its input. */
interface Mutation {
  readonly name: string;
  readonly body: Schema;
  /** The body of a request with this input. */
  readonly toJson: (input: unknown) => { readonly query: string; readonly variables: { readonly input: unknown } };
}

/** What the type of a field does not say of its values. */
const examples: { readonly [field: string]: readonly string[] } = {
  phone: ['+15555550100', '+15555550199'],
  email: ['ada@example.com', 'new@example.com'],
  properties: ['{"orderId": "54321"}', '{"age": 24, "favorite team": "Minnesota Vikings"}'],
  occurredAt: ['2026-03-30T14:38:29Z'],
  amount: ['19.99', '5'],
  signupSourceId: ['100001', '100002'],
  language: ['en', 'en-US'],
  country: ['US'],
  url: ['http://localhost:9/webhooks'],
  mediaUrl: ['https://cdn.example.com/image.png'],
  productImage: ['https://cdn.example.com/shirt.png'],
  events: ['sms.subscribed', 'email.opened'],
};

function toShape(type: GraphQLInputType, field: string): Shape {
  const bare = getNullableType(type);
  if (isListType(bare)) return { type: 'array', items: toShape(bare.ofType, field) };
  if (isEnumType(bare)) return { enum: bare.getValues().map(({ name }) => name) };
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields());
    return {
      type: 'object',
      required: fields.filter((one) => isNonNullType(one.type)).map(({ name }) => name),
      properties: Object.fromEntries(fields.map((one) => [one.name, toShape(one.type, one.name)])),
    };
  }
  if (bare.name === 'Boolean') return { type: 'boolean' };
  if (bare.name === 'Long') return { type: 'integer', examples: [1] };
  const known = examples[field];
  return { type: 'string', ...(known && { examples: known }) };
}

/** All mutations of the schema. */
export const mutations: readonly Mutation[] = Object.values(
  buildSchema(toSdl()).getMutationType()?.getFields() ?? {},
).flatMap(({ name, args: [input] }) =>
  input
    ? [
        {
          name,
          body: toShape(input.type, name) as Schema,
          toJson: (value) => ({
            query: `mutation ($input: ${String(input.type)}) { ${name}(input: $input) { __typename } }`,
            variables: { input: value },
          }),
        },
      ]
    : [],
);

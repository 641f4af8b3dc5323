import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLSchema,
} from 'graphql';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { whenBack } from '../../live/reading.ts';
import { toProblem } from '../../live/reported.ts';
import { call } from '../../live/backend/control.ts';

/**
 * The schema of the endpoint, read once per page load. It comes from the control API: an introspection would be
 * recorded and counted among the requests, although no client sent it.
 */
export const useGraphqlSchema = defineStore('graphqlSchema', () => {
  const schema = shallowRef<GraphQLSchema | null>(null);
  const problem = shallowRef<string | null>(null);

  async function load(): Promise<void> {
    if (schema.value) return;
    try {
      const { sdl } = await call('GET /control/graphql-schema');
      schema.value = buildSchema(sdl);
      problem.value = null;
    } catch (error) {
      problem.value = `${toProblem(error)} Without the schema there is no completion.`;
    }
  }

  whenBack(load);

  return { schema, problem, load };
});

/** A field, or a value of an enumeration, as the explorer lists it. */
export interface Member {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  /** '' for values. */
  readonly type: string;
  readonly about: string;
}

/** A type and its parts. */
export interface TypeView {
  readonly name: string;
  readonly kind: string;
  readonly about: string;
  readonly members: readonly Member[];
}

/** All types: first those where an operation starts, then the others by name. */
export function toTypes(schema: GraphQLSchema): readonly TypeView[] {
  const roots = [schema.getQueryType()?.name, schema.getMutationType()?.name];
  const rank = (name: string): number => (roots.includes(name) ? roots.indexOf(name) : roots.length);
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .toSorted((one, other) => rank(one.name) - rank(other.name) || one.name.localeCompare(other.name))
    .map((type) => ({
      name: type.name,
      kind: isEnumType(type)
        ? 'enumeration'
        : isInputObjectType(type)
          ? 'input'
          : isUnionType(type)
            ? 'union'
            : isInterfaceType(type)
              ? 'interface'
              : isObjectType(type)
                ? 'type'
                : 'scalar',
      about: type.description ?? '',
      members: toMembers(type),
    }));
}

function toMembers(type: ReturnType<GraphQLSchema['getTypeMap']>[string]): readonly Member[] {
  if (isEnumType(type))
    return type.getValues().map(({ name, description }) => ({ name, args: [], type: '', about: description ?? '' }));
  if (isUnionType(type)) return type.getTypes().map(({ name }) => ({ name, args: [], type: name, about: '' }));
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  return Object.values(type.getFields()).map((field) => ({
    name: field.name,
    args: 'args' in field ? field.args.map((arg: GraphQLArgument) => ({ name: arg.name, type: String(arg.type) })) : [],
    type: String(field.type),
    about: [field.description, field.deprecationReason ? 'Deprecated.' : null].filter(Boolean).join(' '),
  }));
}

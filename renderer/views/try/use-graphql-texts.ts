import { computed, nextTick, shallowRef, watch, type Ref } from 'vue';
import { toProblem } from '../../live/reported.ts';
import type { useWorld } from './demo-world.ts';
import { graphqlExamples } from './graphql-examples.ts';
import { operationsOf, toOperation, toVariables } from './graphql-samples.ts';
import type { useGraphqlSchema } from './graphql-schema.ts';
import { misfitsOf, variablesOf } from './graphql-variables.ts';
import type { GraphqlInput } from './input.ts';
import { prettifyGraphql, prettifyJson } from './prettify.ts';

/**
 * A query with its variables. They can be typed, written from the schema, and formatted.
 * @param input null for the first example
 * @param replace takes new texts, with an undo that restores the present ones
 */
export function useGraphqlTexts(
  input: Ref<GraphqlInput | null>,
  types: ReturnType<typeof useGraphqlSchema>,
  world: ReturnType<typeof useWorld>,
  replace: (next: GraphqlInput, says: string) => void,
) {
  const [first] = graphqlExamples;
  const now = computed<GraphqlInput>(
    () =>
      input.value ?? {
        document: first?.query ?? '',
        variables: first?.variables ?? '{}',
        operation: '',
      },
  );
  const set = (change: Partial<GraphqlInput>): void => void (input.value = { ...now.value, ...change });
  const query = computed({ get: () => now.value.document, set: (document) => set({ document }) });
  const variables = computed({ get: () => now.value.variables, set: (text) => set({ variables: text }) });

  const operations = computed(() => operationsOf(query.value));
  const names = computed(() => operations.value.flatMap(({ name }) => (name ? [name.value] : [])));
  const operation = computed({
    get: () => (names.value.includes(now.value.operation) ? now.value.operation : (names.value[0] ?? '')),
    set: (name) => set({ operation: name }),
  });
  // The tab is named after the operation.
  watch(operation, (name) => {
    if (name !== '' && input.value && input.value.operation !== name) set({ operation: name });
  });
  const current = computed(
    () => operations.value.find(({ name }) => (name?.value ?? '') === operation.value) ?? operations.value[0],
  );
  const declared = computed(() => (types.schema ? variablesOf(types.schema, current.value) : null));

  const misfits = computed(() => (declared.value ? misfitsOf(variables.value, declared.value) : []));

  const problem = shallowRef<string | null>(null);
  watch([query, variables], () => (problem.value = null));

  /** The texts that were filled in last. They can be filled in again, so replacing them loses nothing. */
  let given: Partial<GraphqlInput> = { document: first?.query ?? '', variables: first?.variables ?? '{}' };
  /** Sets texts from an example or the schema. An undo restores typed texts. */
  function fillIn(next: Partial<GraphqlInput>, says: string): void {
    const isLost = (['document', 'variables'] as const).some(
      (part) => next[part] !== undefined && next[part] !== now.value[part] && now.value[part] !== given[part],
    );
    given = { ...given, ...next };
    if (isLost) replace({ ...now.value, ...next }, says);
    else set(next);
  }

  let changing: Promise<unknown> = Promise.resolve();
  /** Changes both texts to the result of the work, unless the person typed meanwhile: then the typed texts stay. */
  function change(
    work: () => Promise<Partial<GraphqlInput>>,
    take: (next: Partial<GraphqlInput>) => void,
  ): Promise<void> {
    const done = changeTo(work(), take);
    changing = done.catch(() => {});
    return done;
  }
  async function changeTo(
    coming: Promise<Partial<GraphqlInput>>,
    take: (next: Partial<GraphqlInput>) => void,
  ): Promise<void> {
    const [document, text] = [query.value, variables.value];
    const next = await coming;
    if (query.value === document && variables.value === text) take(next);
  }
  async function generate(): Promise<void> {
    const [{ schema }, written] = [types, current.value];
    if (!schema || !written) return;
    await change(
      async () => ({ variables: JSON.stringify(toVariables(schema, written, await world.get()), null, 2) }),
      (next) => fillIn(next, 'The variables were generated'),
    );
  }
  /** Writes an operation for a field of the schema, without running it. */
  async function write(owner: string, name: string): Promise<void> {
    const { schema } = types;
    const document = schema && toOperation(schema, owner, name);
    if (!document) return;
    const [written] = operationsOf(document);
    await change(
      async () => {
        const values = written ? toVariables(schema, written, await world.get()) : {};
        return { document, variables: JSON.stringify(values, null, 2), operation: written?.name?.value ?? '' };
      },
      (next) => fillIn(next, 'The operation was written'),
    );
  }
  async function prettify(): Promise<void> {
    try {
      await change(
        async () => ({ document: await prettifyGraphql(query.value), variables: prettifyJson(variables.value) }),
        set,
      );
    } catch (error) {
      problem.value = `The query cannot be formatted: ${toProblem(error)}`;
    }
  }

  /** Resolves when the texts are those that were requested last. */
  async function settled(): Promise<void> {
    await changing;
    // A value that was set is in the model a tick later.
    await nextTick();
  }

  return {
    now,
    fillIn,
    query,
    variables,
    /** The names of the operations, and that of the chosen one; '' if it has none. */
    names,
    operation,
    /** The variables of the chosen operation; null without a schema. */
    declared,
    misfits,
    /** Why the texts cannot be formatted or sent, until they change. */
    problem,
    settled,
    generate,
    write,
    prettify,
  };
}

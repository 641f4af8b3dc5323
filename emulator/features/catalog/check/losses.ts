/** Content of good lines that is lost when they are read: the earlier value of a repeated name, and digits. */
import { writtenAt } from '../../../contract/change-json.ts';
import { toAmount } from '../../../contract/digits.ts';
import { mayChange, readAs } from '../../../contract/numbers.ts';
import { valueAt } from '../../../contract/pointer.ts';
import { findRepeatedNames } from '../../../contract/repeated-names.ts';
import { atOnce } from '../../../time/slices.ts';
import { Product } from './product-schema.ts';
import { schemaAt, type SchemaNode } from './schema-at.ts';
import type { XrayWarning } from './shapes.ts';
import { createExamples } from './xray-examples.ts';

export interface Losses {
  /** @param product the value that the text is read as */
  look(text: string, product: unknown, line: number): void;
  all(): readonly XrayWarning[];
}

/** Creates the search. Fields that the catalog does not have are ignored, so nothing is lost with them. */
export function createLosses(mostExamples: number): Losses {
  const repeated = createExamples(mostExamples);
  const shortened = createExamples(mostExamples);
  return {
    look(text, product, line) {
      for (const { pointer } of atOnce(findRepeatedNames(text)))
        if (schemaAt(pointer).type !== undefined) repeated.add(line, pointer, valueAt(product, pointer));
      if (!mayChange(text)) return;
      const written = writtenAt(text, [...integersOf(Product, product, '')]);
      for (const [pointer, number] of written) if (readAs(number) !== null) shortened.add(line, pointer, number);
    },
    all() {
      const [twice, short] = [repeated.all(), shortened.all()];
      const found = [
        {
          kind: 'repeated-name',
          says: `${toAmount(twice.count, 'field')} more than once in one object; only the last value is read.`,
          ...twice,
        },
        {
          kind: 'lost-digits',
          says: `${toAmount(short.count, 'number')} with more digits than are read, which are about 16.`,
          ...short,
        },
      ] as const;
      return found.filter(({ count }) => count > 0);
    },
  };
}

/** The places of the schema's integers in a value. */
function* integersOf({ type, properties, items }: SchemaNode, value: unknown, pointer: string): Generator<string> {
  if (type === 'integer' && typeof value === 'number') yield pointer;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, schema] of Object.entries(properties ?? {}))
    if (Object.hasOwn(value, name))
      yield* integersOf(schema, (value as Record<string, unknown>)[name], `${pointer}/${name}`);
  if (items && Array.isArray(value))
    for (const [at, entry] of value.entries()) yield* integersOf(items, entry, `${pointer}/${at}`);
}

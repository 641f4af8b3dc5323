import { _, Ajv, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt } from 'ajv';

/** One error in a value: the place, the keyword of the schema that failed, and what the keyword requires. */
export interface LineError {
  /** JSON pointer into the value; for a missing field, the pointer of the object that lacks it. */
  readonly pointer: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
}

export interface LineValidator {
  /** Fast: stops at the first error. Null: the value is valid. */
  firstError(value: unknown): LineError | null;
  /** Every error. The value decides how many there are: shorten input from outside first. */
  errors(value: unknown): readonly LineError[];
}

export type Formats = { readonly [name: string]: (value: string) => boolean };

/**
 * The length in characters as the specification counts them: a character outside the basic plane counts as one, not
 * two.
 */
function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i += 1) {
    if ((text.codePointAt(i) ?? 0) <= 0xffff) continue;
    count -= 1;
    i += 1;
  }
  return count;
}

/**
 * Ajv's own maxLength counts the characters of every string. A string never has more characters than UTF-16 units, so
 * only strings with too many units need counting: the same results in a tenth of the time for a whole product.
 */
const leanMaxLength: CodeKeywordDefinition = {
  keyword: 'maxLength',
  type: 'string',
  schemaType: 'number',
  error: { message: 'too long', params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  code(context: KeywordCxt) {
    const { gen, data, schemaCode } = context;
    const count = gen.scopeValue('func', { ref: codePoints });
    context.fail(_`${data}.length > ${schemaCode} && ${count}(${data}) > ${schemaCode}`);
  },
};

function createAjv(formats: Formats, allErrors: boolean): Ajv {
  // The tests check the schema; checking it here would take most of the time of a worker with a small file. Optimizing
  // the code takes as long as generating it, and the result is not faster.
  const code = { optimize: false };
  const ajv = new Ajv({ allErrors, meta: false, validateSchema: false, strict: true, allowUnionTypes: true, code });
  ajv.addVocabulary(['x-provenance', 'x-reason']);
  ajv.removeKeyword('maxLength');
  ajv.addKeyword(leanMaxLength);
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });
  return ajv;
}

function toLineError({ instancePath, keyword, params }: ErrorObject): LineError {
  return { pointer: instancePath, keyword, params: params as LineError['params'] };
}

/** Compiles a schema for checking hundreds of thousands of values: most are valid, and only the others are examined. */
export function compileForLines(schema: object, formats: Formats): LineValidator {
  // Compiled on first use: that takes longer than reading a small file in which no line needs it.
  let isValid: ReturnType<Ajv['compile']> | null = null;
  let collect: ReturnType<Ajv['compile']> | null = null;
  return {
    firstError(value) {
      isValid ??= createAjv(formats, false).compile(schema);
      if (isValid(value)) return null;
      const error = isValid.errors?.[0];
      if (error === undefined) throw new Error('Ajv rejected a value without reporting an error');
      return toLineError(error);
    },
    errors(value) {
      collect ??= createAjv(formats, true).compile(schema);
      return collect(value) ? [] : (collect.errors ?? []).map(toLineError);
    },
  };
}

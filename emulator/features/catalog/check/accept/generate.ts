/**
 * Generates a function that reads one line of JSON in bytes and says whether it certainly satisfies a schema, as Ajv
 * generates a function that reads values. It makes no values and no messages: doubtful lines are left to the full
 * check.
 */
import type { FormatName } from '../formats.ts';
import { createByteFormat } from './byte-formats.ts';
import * as bytes from './bytes.ts';

/** The keywords that the generator knows. It refuses all others except `x-…`: they would be ignored silently. */
interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly minimum?: number;
}

const keywords = 'type properties required items minItems maxItems minLength maxLength format minimum'.split(' ');

/** The places of the texts of one field in the last line: begin and end, two numbers for each text. */
export interface Marks {
  count: number;
  readonly ranges: Int32Array;
}

/** Which texts are marked: their place, such as `/variants/#/id` (`#`: every entry of a list), and how many at most. */
export type MarkPlan = { readonly [place: string]: MarkOptions };

interface MarkOptions {
  readonly most: number;
  /** `ascii`: only texts whose bytes are their characters; `raw`: as they are written, with escapes. */
  readonly as: 'ascii' | 'raw';
}

/** Returns the position after the value that begins at `p`; -1 in doubt. The marks are valid until the next call. */
type Read = (b: Buffer, p: number) => number;

export interface Reader {
  readonly read: Read;
  readonly marks: { readonly [place: string]: Marks };
}

/**
 * Generates the code once; the returned function creates readers that share it.
 * @throws Error for a schema with a part that the generator does not know
 */
export function generateReader(schema: object, plan: MarkPlan): () => Reader {
  const writer = createWriter(plan);
  const main = writer.object(schema as Schema, '');
  const places = Object.keys(plan);
  const body = [
    '"use strict";',
    'const { space, text, ascii, visible, natural, integer, boolean, anyMember } = bytes;',
    ...places.map((place, i) => `const m${i} = marks[${JSON.stringify(place)}];`),
    ...writer.formats.map((_, i) => `const f${i} = formats[${i}];`),
    ...writer.functions,
    `return (b, p) => { ${places.map((_, i) => `m${i}.count = 0;`).join(' ')} return ${main}(b, p); };`,
  ].join('\n');
  // oxlint-disable-next-line no-new-func -- the code is made from our own schema, never from input
  const make = new Function('bytes', 'marks', 'formats', body) as (...given: readonly unknown[]) => Read;
  return () => {
    const marks = Object.fromEntries(
      Object.entries(plan).map(([place, { most }]) => [place, { count: 0, ranges: new Int32Array(most * 2) }]),
    );
    return { read: make(bytes, marks, writer.formats.map(createByteFormat)), marks };
  };
}

function createWriter(plan: MarkPlan) {
  const functions: string[] = [];
  const formats: FormatName[] = [];
  const places = Object.keys(plan);
  let names = 0;
  const doubt = 'return -1;';
  const skipSpace = 'if (b[p] <= 32) p = space(b, p);';

  function value(schema: Schema, place: string): string {
    const unknown = Object.keys(schema).find((keyword) => !keywords.includes(keyword) && !keyword.startsWith('x-'));
    if (unknown !== undefined) throw new Error(`The schema uses ${unknown} at ${place}, which is not generated.`);
    switch (schema.type) {
      case 'object':
        return `p = ${object(schema, place)}(b, p); if (p < 0) ${doubt}`;
      case 'array':
        return list(schema, place);
      case 'string':
        return string(schema, place);
      case 'integer':
        if (schema.minimum !== undefined && schema.minimum !== 0) throw new Error(`${place}: only a minimum of 0.`);
        return `p = ${schema.minimum === 0 ? 'natural' : 'integer'}(b, p); if (p < 0) ${doubt}`;
      case 'boolean':
        return `p = boolean(b, p); if (p < 0) ${doubt}`;
      default:
        throw new Error(`The schema has the type ${String(schema.type)} at ${place}, which is not generated.`);
    }
  }

  function string({ minLength = 0, maxLength, format }: Schema, place: string): string {
    if (minLength > 1) throw new Error(`${place}: only a minLength of 1.`);
    const mark = places.indexOf(place);
    const isAscii = mark >= 0 && plan[place]?.as === 'ascii';
    const reader = format !== undefined ? 'visible' : isAscii ? 'ascii' : 'text';
    const start = `s${++names}`;
    return [
      `if (b[p] !== 34) ${doubt}`,
      `const ${start} = ++p;`,
      `p = ${reader}(b, p, ${maxLength ?? 'Infinity'});`,
      minLength === 1 ? `if (p <= ${start}) ${doubt}` : `if (p < 0) ${doubt}`,
      ...(format === undefined ? [] : [`if (!${toFormat(format)}(b, ${start}, p)) ${doubt}`]),
      ...(mark < 0 ? [] : [toMark(mark, start)]),
      'p++;',
    ].join('\n');
  }

  function toMark(mark: number, start: string): string {
    const m = `m${mark}`;
    return `if (${m}.count * 2 === ${m}.ranges.length) ${doubt} ${m}.ranges[${m}.count * 2] = ${start}; ${m}.ranges[${m}.count * 2 + 1] = p; ${m}.count++;`;
  }

  function toFormat(name: string): string {
    formats.push(name as FormatName);
    return `f${formats.length - 1}`;
  }

  function list({ items, minItems = 0, maxItems }: Schema, place: string): string {
    if (!items) throw new Error(`${place}: a list without items.`);
    const count = `n${++names}`;
    return [
      `if (b[p] !== 91) ${doubt}`,
      `p++; ${skipSpace}`,
      `let ${count} = 0;`,
      'if (b[p] === 93) p++; else for (;;) {',
      maxItems === undefined ? '' : `if (${count} === ${maxItems}) ${doubt}`,
      `${count}++;`,
      value(items, `${place}/#`),
      skipSpace,
      `if (b[p] === 44) { p++; ${skipSpace} continue; }`,
      `if (b[p] !== 93) ${doubt}`,
      'p++; break; }',
      minItems === 0 ? '' : `if (${count} < ${minItems}) ${doubt}`,
    ].join('\n');
  }

  /** Writes a function that reads an object, and returns its name. A repeated field is left to the full check. */
  function object({ properties = {}, required = [] }: Schema, place: string): string {
    const name = `o${++names}`;
    const fields = Object.keys(properties);
    if (fields.length > 30) throw new Error(`${place}: at most 30 fields.`);
    const must = required.reduce((bits, field) => bits | (1 << fields.indexOf(field)), 0);
    const cases = [...new Set(fields.map((field) => field.charCodeAt(0)))].map((first) => {
      const same = fields.filter((field) => field.charCodeAt(0) === first);
      return `case ${first}: ${same.map((field) => oneField(field, fields.indexOf(field))).join('\n')} break;`;
    });
    functions.push(
      [
        `function ${name}(b, p) {`,
        `if (b[p] !== 123) ${doubt}`,
        `p++; ${skipSpace}`,
        'let seen = 0;',
        'if (b[p] === 125) p++; else for (;;) {',
        `if (b[p] !== 34) ${doubt}`,
        'p++;',
        'field: {',
        `switch (b[p]) { ${cases.join('\n')} }`,
        `p = anyMember(b, p, 0); if (p < 0) ${doubt}`,
        '}',
        skipSpace,
        `if (b[p] === 44) { p++; ${skipSpace} continue; }`,
        `if (b[p] !== 125) ${doubt}`,
        'p++; break; }',
        `return (seen & ${must}) === ${must} ? p : -1;`,
        '}',
      ].join('\n'),
    );
    return name;

    function oneField(field: string, at: number): string {
      if (!/^[A-Za-z]+$/.test(field)) throw new Error(`${place}: the name ${field} is not generated.`);
      const rest = [...field, '"'].slice(1).map((c, i) => `b[p + ${i + 1}] === ${c.charCodeAt(0)}`);
      return [
        `if (${rest.join(' && ')}) {`,
        `if (seen & ${1 << at}) ${doubt}`,
        `seen |= ${1 << at};`,
        `p += ${field.length + 1}; ${skipSpace}`,
        `if (b[p] !== 58) ${doubt}`,
        `p++; ${skipSpace}`,
        value(properties[field] as Schema, `${place}/${field}`),
        'break field; }',
      ].join('\n');
    }
  }

  return { functions, formats, object };
}

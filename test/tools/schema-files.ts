import { worldSchema } from '../../emulator/declared-world/schema.ts';
import { configSchema } from '../../emulator/config/options.ts';
import { withoutFormats } from '../../emulator/contract/shape.ts';

/** Without our formats, which no other validator knows. */
const toText = (title: string, schema: object): string => {
  const published = { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...withoutFormats(schema) };
  return `${JSON.stringify(published, null, 2)}\n`;
};

/** Of one file; a command checks it with what else is set. */
const notBoth = { properties: { memory: { const: true } }, required: ['memory', 'data'] };

/** The files of schema/, as they have to be. */
export const schemaFiles: { readonly [name: string]: string } = {
  'world.schema.json': toText('World of Sandpiper', worldSchema),
  'config.schema.json': toText('Options of Sandpiper', { ...configSchema, not: notBoth }),
};

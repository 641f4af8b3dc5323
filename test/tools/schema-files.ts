import { worldSchema } from '../../emulator/declared-world/schema.ts';
import { configSchema } from '../../emulator/config/options.ts';
import { withoutFormats } from '../../emulator/contract/shape.ts';

/** Leaves out Sandpiper's own formats, which no other validator knows. */
const toText = (title: string, schema: object): string => {
  const published = { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...withoutFormats(schema) };
  return `${JSON.stringify(published, null, 2)}\n`;
};

/** Forbids both options in one file. A command checks them together with everything else that is set. */
const notBoth = { properties: { memory: { const: true } }, required: ['memory', 'data'] };

/** The files of schema/, as they should be. */
export const schemaFiles: { readonly [name: string]: string } = {
  'world.schema.json': toText('World of Sandpiper', worldSchema),
  'config.schema.json': toText('Options of Sandpiper', { ...configSchema, not: notBoth }),
};

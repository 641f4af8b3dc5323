import { worldSchema } from '../../emulator/declared-world/schema.ts';
import { configSchema } from '../../emulator/config/options.ts';

const toText = (title: string, schema: object): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }, null, 2)}\n`;

/** The files of schema/, as they have to be. */
export const schemaFiles: { readonly [name: string]: string } = {
  'world.schema.json': toText('World of Sandpiper', worldSchema),
  'config.schema.json': toText('Options of Sandpiper', configSchema),
};

/* Writes schema/, the JSON Schemas for editors: node --import tsx test/tools/schemas.ts */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from './schema-files.ts';

for (const [name, text] of Object.entries(schemaFiles))
  writeFileSync(join(import.meta.dirname, '../../schema', name), text);

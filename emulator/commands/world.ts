import { writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { mustBeNew, writeNamedFile } from '../config/named-file.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { UsageError } from './usage.ts';

export interface WorldOptions extends ConnectOptions {
  readonly overwrite?: boolean;
}

/** `sandpiper world save FILE`: writes the current state as a world file, and says what it left out. */
export async function saveWorldFile(file: string, { overwrite, ...options }: WorldOptions): Promise<void> {
  const write = writers[extname(file).toLowerCase()];
  if (!write)
    throw new UsageError(
      `${basename(file)} cannot be written: its name has to end with one of ${Object.keys(writers).join(', ')}.`,
    );
  await mustBeNew(file, overwrite);
  const { world, leftOut } = await connect(options).call('GET /control/world');
  const text = await write(world);
  await writeNamedFile(file, (path) => writeFile(path, text, { mode: 0o600 }));
  const says = leftOut.length === 0 ? 'Nothing was left out.' : `Left out: ${leftOut.join(', ')}.`;
  print(options, { file, leftOut }, `Written to ${file}, with its keys. ${says}`);
}

const toCode = (world: object): string =>
  `import { defineWorld } from 'sandpiper/config';\n\nexport default defineWorld(${JSON.stringify(world, null, 2)});\n`;

const writers: { readonly [ending: string]: (world: object) => string | Promise<string> } = {
  '.yaml': async (world) => (await import('yaml')).stringify(world),
  '.yml': async (world) => (await import('yaml')).stringify(world),
  '.json': (world) => `${JSON.stringify(world, null, 2)}\n`,
  '.ts': toCode,
  '.mts': toCode,
  '.js': toCode,
  '.mjs': toCode,
};

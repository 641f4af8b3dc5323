import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The files of a folder of the repository by their paths from the root, without hidden, built and installed ones; a file is itself. */
export function filesOf(path: string): readonly string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (!entry.isDirectory()) return [inner];
    return /^(?:\.|node_modules$|out$|dist$)/.test(entry.name) ? [] : filesOf(inner);
  });
}

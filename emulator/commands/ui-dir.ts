import { fileURLToPath } from 'node:url';

/** Where the built inspector lies: beside the folder of this build, or where the build puts it, from source. */
export function uiDir(): string {
  return fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../../out/renderer' : '../renderer', import.meta.url),
  );
}

import { fileURLToPath } from 'node:url';

/**
 * The folder of the built inspector: next to the folder of this build or, from source, the folder that the build
 * writes.
 */
export function uiDir(): string {
  return fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../../out/renderer' : '../renderer', import.meta.url),
  );
}

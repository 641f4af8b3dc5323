import { readFileSync } from 'node:fs';

declare const SANDPIPER_VERSION: string | undefined;

/** The package's version. The build replaces the constant with it; unbuilt code reads the file. */
export function readVersion(): string {
  if (typeof SANDPIPER_VERSION === 'string') return SANDPIPER_VERSION;
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

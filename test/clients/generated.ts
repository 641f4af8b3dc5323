/** Clients that public generators make from an OpenAPI document, compiled as in a user's project. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { onTestFinished } from 'vitest';

/** A program as a user writes it: its function `run` calls the API and returns what it read. */
type Run = (baseUrl: string, key: string) => Promise<unknown>;

/** Inside node_modules of this project, so that generated code finds its packages as in a user's project. */
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/sandpiper');

/**
 * Generates `paths.js` (openapi-typescript) and `hey/` (hey-api), compiles programs that import them, and returns the
 * functions of these. Everything is removed after the test.
 * @throws what the compiler says of a program that does not fit
 */
export async function compileClients<Name extends string>(
  document: object,
  programs: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, Run>>> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'clients-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'paths.ts'), astToString(await openapiTS(document as OpenAPI3)));
  await createClient({
    input: document as Record<string, unknown>,
    output: { path: join(folder, 'hey'), importFileExtension: '.js' },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  const names = Object.keys(programs) as Name[];
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), programs[name]);
  await compile(folder);
  const runs = names.map(async (name) => {
    const { run } = (await import(pathToFileURL(join(folder, 'out', `${name}.js`)).href)) as { run: Run };
    return [name, run] as const;
  });
  return Object.fromEntries(await Promise.all(runs)) as Record<Name, Run>;
}

async function compile(folder: string): Promise<void> {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      outDir: 'out',
    },
    include: ['*.ts', 'hey/**/*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: { stdout?: string }) => {
    throw new Error(`What was generated does not compile:\n${error.stdout}`);
  });
}

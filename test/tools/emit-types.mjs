// Writes the declarations of sandpiper/testing to out/types: those of its entry and of all that they name, no others.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const entry = join(root, 'emulator/testing.ts');
const target = join(root, 'out/types');

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
};

rmSync(target, { recursive: true, force: true });
const files = [entry];
for (const file of files) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    compilerOptions,
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0)
    fail(
      ts.formatDiagnostics(diagnostics, { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }),
    );
  const declaration = outputText.replace(/(\bfrom ')(\.[^']+)\.ts'/g, (_all, from, path) => {
    const named = resolve(dirname(file), `${path}.ts`);
    if (!files.includes(named)) files.push(named);
    return `${from}${path}.js'`;
  });
  const foreign = /\bfrom '([^.'][^']*)'/.exec(declaration);
  if (foreign)
    fail(`${relative(root, file)} names types of "${foreign[1]}", which whoever installs the package has not.\n`);
  const path = join(target, relative(join(root, 'emulator'), file)).replace(/\.ts$/, '.d.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, declaration);
}

function fail(text) {
  process.stderr.write(text);
  process.exit(1);
}

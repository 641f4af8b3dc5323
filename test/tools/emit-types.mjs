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

/** What only the compiler knows, types that are inferred from schemas, is written out: whoever installs the package has no json-schema-to-ts. */
const inferred = /\b(?:RecordOf|Infer|Frozen|View)<|\btypeof |\bRecords\b/;
let program = null;

function withTypesWrittenOut(file) {
  let text = readFileSync(file, 'utf8');
  if (!/\b(?:RecordOf|Infer|View)</.test(text)) return text;
  program ??= ts.createProgram([entry], { ...compilerOptions, ...settingsOfCheckout(), noEmit: true });
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const replaced = [];
  for (const node of source.statements) {
    // The schemas themselves are of no use to types.
    if (ts.isVariableStatement(node)) replaced.push([node, '']);
    if (!ts.isTypeAliasDeclaration(node) || node.typeParameters || !inferred.test(node.type.getText(source))) continue;
    const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported) replaced.push([node.type, toText(checker.getTypeAtLocation(node.name), checker)]);
    else replaced.push([node, '']);
  }
  for (const [node, type] of replaced.reverse())
    text = text.slice(0, node.getStart(source)) + type + text.slice(node.getEnd());
  return withoutUnusedImports(text);
}

function settingsOfCheckout() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/** A type in full: no name of another type is in it. */
function toText(type, checker) {
  if (type.isUnion()) return type.types.map((one) => toText(one, checker)).join(' | ');
  if (checker.isArrayType(type)) return `readonly (${toText(checker.getTypeArguments(type)[0], checker)})[]`;
  const isObject = (one) => (one.flags & ts.TypeFlags.Object) !== 0;
  if (!(type.isIntersection() ? type.types.every(isObject) : isObject(type))) return checker.typeToString(type);
  const members = checker.getPropertiesOfType(type).map((symbol) => {
    const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : '';
    return `readonly ${JSON.stringify(symbol.name)}${optional}: ${toText(checker.getTypeOfSymbol(symbol), checker)}`;
  });
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (index) members.push(`readonly [key: string]: ${toText(index, checker)}`);
  return `{ ${members.join('; ')} }`;
}

function withoutUnusedImports(text) {
  return text.replaceAll(/^import (?:type )?\{([^}]*)\} from '[^']+';\n/gm, (line, names) => {
    const rest = text.replaceAll(/^import .*\n/gm, '');
    return names.split(',').some((name) => new RegExp(`\\b${name.trim()}\\b`).test(rest)) ? line : '';
  });
}

rmSync(target, { recursive: true, force: true });
const files = [entry];
for (const file of files) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(withTypesWrittenOut(file), {
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

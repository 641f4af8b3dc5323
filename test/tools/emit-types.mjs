// Writes the declarations of sandpiper/testing to out/types: those of its entry and of everything that they name, no
// others.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const entries = ['emulator/testing.ts', 'emulator/config.ts'].map((path) => join(root, path));
const target = join(root, 'out/types');

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
};

/**
 * Types that only the compiler knows, because they are inferred from schemas, are written out: users of the package do
 * not have json-schema-to-ts.
 */
const inferred = /\b(?:RecordOf|Infer|Frozen|View)<|\btypeof |\bRecords\b/;
let program = null;
/** Type → the exported alias for it, in `path`, so that a reply uses the named type of its resource. */
const named = new Map();
/** The same by the schema of the type, for types that are inferred once more inside of another. */
const namedBySchema = new Map();

function withTypesWrittenOut(file) {
  let text = readFileSync(file, 'utf8');
  if (!/\b(?:RecordOf|Infer|View|Signatures)</.test(text)) return text;
  program ??= openProgram();
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const replaced = [];
  const imports = new Map();
  const nameOf = (type, schema, of) => {
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    const alias = named.get(type) ?? (isObject ? namedBySchema.get(schema) : undefined);
    if (!alias || (alias.name === of && alias.path === file)) return null;
    if (alias.path !== file) imports.set(alias.name, alias.path);
    return alias.name;
  };
  for (const node of source.statements) {
    // The schemas themselves are not needed for types.
    if (ts.isVariableStatement(node)) replaced.push([node, '']);
    if (!ts.isTypeAliasDeclaration(node) || node.typeParameters || !inferred.test(node.type.getText(source))) continue;
    const { text: name } = node.name;
    const isUsed = new RegExp(`\\b${name}\\b[^=]`).test(text.replaceAll(/^.*\btypeof .*$/gm, ''));
    if (isExported(node) || isUsed) {
      const type = checker.getTypeAtLocation(node.name);
      const docs = toDocs(node.type, checker);
      replaced.push([node.type, toText(type, checker, docs, (one, schema) => nameOf(one, schema, name))]);
    } else replaced.push([node, '']);
  }
  for (const [node, type] of replaced.reverse())
    text = text.slice(0, node.getStart(source)) + type + text.slice(node.getEnd());
  const imported = [...imports].map(([name, path]) => `import type { ${name} } from '${toSpecifier(file, path)}';\n`);
  return imported.join('') + withoutUnusedImports(text);
}

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function toSpecifier(from, to) {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function openProgram() {
  const opened = ts.createProgram(entries, { ...compilerOptions, ...settingsOfCheckout(), noEmit: true });
  const checker = opened.getTypeChecker();
  for (const source of opened.getSourceFiles()) {
    if (!source.fileName.startsWith(join(root, 'emulator/control/contract/'))) continue;
    for (const node of source.statements) {
      if (!ts.isTypeAliasDeclaration(node) || node.typeParameters || !isExported(node)) continue;
      if (!inferred.test(node.type.getText(source))) continue;
      const type = checker.getTypeAtLocation(node.name);
      const isNamed = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Union | ts.TypeFlags.Intersection);
      const alias = { name: node.name.text, path: source.fileName };
      if (isNamed && !named.has(type)) named.set(type, alias);
      const { schema } = toDocs(node.type, checker);
      if (isNamed && schema && !namedBySchema.has(schema)) namedBySchema.set(schema, alias);
    }
  }
  return opened;
}

function settingsOfCheckout() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/**
 * The descriptions in the schema behind a type. Inference drops them, but they are literals in the type of the schema,
 * which is followed while the type is written out.
 */
function toDocs(node, checker) {
  const memberOf = (type, name) => {
    const symbol = type && checker.getPropertyOfType(type, name);
    return symbol && checker.getTypeOfSymbol(symbol);
  };
  const literal = (type, name) => {
    const found = memberOf(type, name);
    return found?.isStringLiteral() ? found.value : null;
  };
  const none = { schema: null, says: null, member: () => none, item: () => none, present: () => none };
  const ofSchema = (type) => {
    if (!type) return none;
    const anyOf = memberOf(type, 'anyOf');
    const alternatives = [type, ...(anyOf ? checker.getTypeArguments(anyOf) : [])];
    const only = (found) => (found.filter(Boolean).length === 1 ? ofSchema(found.find(Boolean)) : none);
    const present = alternatives.slice(1).filter((one) => literal(one, 'type') !== 'null');
    return {
      schema: type,
      says: literal(type, 'description'),
      // For `nullable(…)`: the schema of the value if it is not null.
      present: () => ofSchema(present.length === 1 ? present[0] : type),
      member: (name) => only(alternatives.map((one) => memberOf(memberOf(one, 'properties'), name))),
      item: () => only(alternatives.map((one) => memberOf(one, 'items') ?? memberOf(one, 'additionalProperties'))),
    };
  };
  const ofCall = (type) => {
    const part = (name) => ofSchema(memberOf(type, name));
    const request = { ...none, member: part };
    return { ...none, says: literal(type, 'summary'), member: (name) => (name === 'request' ? request : part(name)) };
  };

  const [argument] = node.typeArguments ?? [];
  if (!ts.isTypeReferenceNode(node) || !argument) return none;
  const type = checker.getTypeFromTypeNode(argument);
  const name = node.typeName.getText();
  if (name === 'Signatures') return { ...none, member: (call) => ofCall(memberOf(type, call)) };
  return ofSchema(name === 'RecordOf' ? memberOf(type, 'schema') : type);
}

/** Writes a type in full, except parts that `nameOf` has a name for. Each member gets its text from `docs`. */
function toText(whole, checker, allDocs, nameOf) {
  const text = (type, docs) => nameOf(type, docs.schema) ?? inFull(type, docs);
  return text(whole, allDocs);

  function inFull(type, docs) {
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
    // A member that is left out is not undefined.
    if (type.isUnion())
      return type.types
        .filter(({ debugIntrinsicName }) => debugIntrinsicName !== 'missing')
        .map((one) => text(one, docs.present()))
        .join(' | ');
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type);
      const itemText = text(item, docs.item());
      return `readonly ${/^readonly | \| /.test(itemText) ? `(${itemText})` : itemText}[]`;
    }
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type)
        .map((one) => text(one, docs.item()))
        .join(', ')}]`;

    const isObject = (one) => (one.flags & ts.TypeFlags.Object) !== 0;
    if (!(type.isIntersection() ? type.types.every(isObject) : isObject(type))) return checker.typeToString(type);
    const members = checker.getPropertiesOfType(type).map((symbol) => {
      const name = /^[\w$]+$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
      const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : '';
      const ofMember = docs.member(symbol.name);
      const comment = ofMember.says === null ? '' : `/** ${ofMember.says.replaceAll('*/', '*\\/')} */\n`;
      return `${comment}readonly ${name}${optional}: ${text(checker.getTypeOfSymbol(symbol), ofMember)}`;
    });
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (index) members.push(`readonly [key: string]: ${text(index, docs.item())}`);
    // Each member has its own line: a comment behind something on the same line would belong to that.
    return `{\n${members.join(';\n')}\n}`;
  }
}

function withoutUnusedImports(text) {
  return text.replaceAll(/^import (?:type )?\{([^}]*)\} from '[^']+';\n/gm, (line, names) => {
    const rest = text.replaceAll(/^import .*\n/gm, '');
    return names.split(',').some((name) => new RegExp(`\\b${name.trim()}\\b`).test(rest)) ? line : '';
  });
}

rmSync(target, { recursive: true, force: true });
const files = [...entries];
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
    fail(`${relative(root, file)} names types of "${foreign[1]}", which users of the package do not have.\n`);
  const path = join(target, relative(join(root, 'emulator'), file)).replace(/\.ts$/, '.d.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, declaration);
}

// `require` reads them as declarations of CommonJS modules. An ES module gets the same names, but no default export.
writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
for (const name of ['testing', 'config'])
  writeFileSync(join(target, `${name}.d.mts`), `export * from './${name}.js';\n`);

function fail(text) {
  process.stderr.write(text);
  process.exit(1);
}

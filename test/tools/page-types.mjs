// Checks the types of the page, as vue-tsc does, in a third of its processor time. Vue's own library translates each
// component into TypeScript, the native compiler checks that, and the places of its errors are mapped back to the
// components. The code is below node_modules/.cache, where `rootDirs` finds it as if it were beside its component.
// The argument is the folder to check, inside this project, if it is not renderer/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// With `require`, because an import of CommonJS first searches its code for names: half a second for a compiler.
const require = createRequire(import.meta.url);
const ts = require('typescript');
const { createParsedCommandLine, createVueLanguagePlugin, SourceMap } = require('@vue/language-core');

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = resolve(root, process.argv[2] ?? 'renderer');
const cache = join(root, 'node_modules/.cache/page-types', relative(root, page));

const { options, vueOptions } = createParsedCommandLine(ts, ts.sys, join(page, 'tsconfig.json'));
// By name: a relative path would be wrong from the place of the generated code.
const plugin = createVueLanguagePlugin(
  ts,
  options,
  { ...vueOptions, typesRoot: '@vue/language-core/types' },
  (id) => id,
);

rmSync(cache, { recursive: true, force: true });
const components = new Map();
for (const name of readdirSync(page, { recursive: true }).filter((file) => file.endsWith('.vue'))) {
  const file = join(page, name);
  const source = readFileSync(file, 'utf8');
  const { code } = plugin.typescript.getServiceScript(
    plugin.createVirtualCode(file, 'vue', ts.ScriptSnapshot.fromString(source)),
  );
  const generated = code.snapshot.getText(0, code.snapshot.getLength());
  const place = join(cache, `${relative(root, file)}.ts`);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, generated);
  components.set(place, { file, source, generated, mappings: code.mappings });
}
writeFileSync(
  join(cache, 'tsconfig.json'),
  JSON.stringify({
    extends: join(page, 'tsconfig.json'),
    compilerOptions: { rootDirs: [root, cache] },
    include: [page],
    files: [...components.keys()],
  }),
);

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [compiler, '-p', cache, '--pretty', 'false', '--singleThreaded'],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
  },
);
// The further lines of an error begin with a space.
const lines = stdout.trimEnd().split(/\n(?=\S)/);
const errors = lines.filter(Boolean).map(atComponent).filter(Boolean);
for (const text of [...errors, stderr].filter(Boolean)) console.log(text);
// A compiler that fails without an error has not checked anything.
process.exitCode = errors.length > 0 || (status !== 0 && !stdout) ? 1 : 0;

/** Moves an error to its place in the component. Returns undefined if it is not about code of the component. */
function atComponent(error) {
  const [, place, line, column, code] = /^(.+)\((\d+),(\d+)\): \w+ TS(\d+)/.exec(error) ?? [];
  const component = place && components.get(resolve(root, place));
  if (!component) return error;
  const offset = ts.getPositionOfLineAndCharacter(linesOf(component.generated), line - 1, column - 1);
  const reported = ({ verification }) => verification?.shouldReport?.('ts', code) ?? Boolean(verification);
  const [at] = new SourceMap(component.mappings).toSourceLocation(offset, reported);
  if (!at) return undefined;
  const { line: row, character } = ts.getLineAndCharacterOfPosition(linesOf(component.source), at[0]);
  return `${relative(root, component.file)}(${row + 1},${character + 1})${error.slice(error.indexOf('): ') + 1)}`;
}

function linesOf(text) {
  return { text, lineMap: ts.computeLineStarts(text) };
}

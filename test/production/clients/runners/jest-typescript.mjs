// TypeScript for jest, as its users' transformers do it: compiled, with the source map.
import ts from 'typescript';

export function process(source, fileName) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, sourceMap: true };
  const { outputText, sourceMapText } = ts.transpileModule(source, { fileName, compilerOptions });
  return { code: outputText, map: JSON.parse(sourceMapText) };
}

/** Finds the line of code in which a part of an exported value is written. */
import type { Expression, ObjectExpression, Program, SpreadElement } from '@babel/types';

/** The names and positions from the top of a value to a part of it. */
export type Path = readonly (string | number)[];

/**
 * The line of a part of the default export. The part is followed through objects and lists that are written in the
 * export itself, or in constants of the same file. At a computed or imported value the search ends, with the line so
 * far.
 * @returns a line number from 1; null if the code cannot be read
 */
export async function findCodeLine(text: string, path: Path): Promise<number | null> {
  const { parse } = await import('@babel/parser');
  let program: Program;
  try {
    ({ program } = parse(text, { sourceType: 'unambiguous', plugins: ['typescript'], errorRecovery: true }));
  } catch {
    return null;
  }
  let node = follow(exported(program), program);
  let line = node?.loc?.start.line ?? null;
  for (const step of path) {
    if (node?.type === 'ObjectExpression') {
      const found = memberOf(node, String(step));
      if (!found) break;
      line = found.line ?? line;
      node = follow(found.value, program);
    } else if (node?.type === 'ArrayExpression' && typeof step === 'number') {
      const before = node.elements.slice(0, step + 1);
      const item = before[step];
      if (!item || before.some((one) => one?.type === 'SpreadElement')) break;
      line = item.loc?.start.line ?? line;
      node = follow(item, program);
    } else break;
  }
  return line;
}

type Node = Expression | SpreadElement;

function exported({ body }: Program): Node | null {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration as Expression;
    if (statement.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression') {
      const { left, right } = statement.expression;
      if (left.type === 'MemberExpression' && left.property.type === 'Identifier' && left.property.name === 'exports')
        return right;
    }
  }
  return null;
}

/** The object or list behind calls such as `defineWorld({…})`, casts and names of constants. */
function follow(node: Node | null, program: Program, depth = 0): Node | null {
  if (!node || depth > 20) return null;
  switch (node.type) {
    case 'CallExpression':
      return follow((node.arguments[0] as Expression | undefined) ?? null, program, depth + 1);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return follow(node.expression, program, depth + 1);
    case 'Identifier':
      return follow(constantOf(node.name, program), program, depth + 1);
    default:
      return node;
  }
}

function constantOf(name: string, { body }: Program): Expression | null {
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    const found = declared.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
    if (found) return found.init ?? null;
  }
  return null;
}

function memberOf(
  { properties }: ObjectExpression,
  name: string,
): { readonly line: number | undefined; readonly value: Node | null } | null {
  for (const one of properties) {
    if (one.type === 'SpreadElement') continue;
    const { key } = one;
    const isIt =
      (key.type === 'Identifier' && key.name === name) ||
      ((key.type === 'StringLiteral' || key.type === 'NumericLiteral') && String(key.value) === name);
    if (isIt)
      return {
        line: key.loc?.start.line,
        value: one.type === 'ObjectProperty' ? (one.value as Expression) : null,
      };
  }
  return null;
}

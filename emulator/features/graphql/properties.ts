import { inBody, refuse } from '../../rules.ts';
import { graphqlRules, limits } from './rules.ts';

export type Properties = { readonly [name: string]: unknown };

/**
 * The object that the JSON scalar of `properties` stands for: a text that holds one (section 2.5), or, in queries that
 * write it out, the object itself, which is noted.
 */
export function readProperties(sent: unknown, note: (remark: string) => void): Properties {
  if (sent === undefined || sent === null) return {};
  let value = sent;
  if (typeof sent === 'string') {
    try {
      value = JSON.parse(sent);
    } catch {
      return refuseProperties(sent, 'is no JSON');
    }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return refuseProperties(sent, 'holds no object');
  const problem = problemOf(value, 1);
  if (problem !== null) return refuseProperties(sent, problem);
  if (value === sent)
    note('properties was sent as an object; it was taken for the JSON text of it, which is the documented form.');
  return value as Properties;
}

/** The text that answers carry: what was sent, if it was a text. */
export function toPropertiesText(sent: unknown): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent ?? {});
}

function problemOf(value: unknown, depth: number): string | null {
  if (value === null || typeof value !== 'object') return null;
  if (depth > limits.nesting) return `nests more than ${limits.nesting} deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor')
      return `has the key ${key}, which can change programs that read it`;
    const problem = problemOf(inner, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function refuseProperties(sent: unknown, problem: string): never {
  return refuse(graphqlRules.properties, inBody('/properties'), sent, { sent, problem, mended: mend(sent) });
}

/** The commonest slip is single quotes for double ones. */
function mend(sent: unknown): string {
  const attempt = typeof sent === 'string' ? sent.replaceAll("'", '"') : '';
  try {
    const value: unknown = JSON.parse(attempt);
    if (value !== null && typeof value === 'object' && !Array.isArray(value) && problemOf(value, 1) === null)
      return attempt;
  } catch {
    // What is not mended so easily is replaced by an empty object.
  }
  return '{}';
}

/**
 * The kinds of problems that graphql-js finds in a query or in variables, by its words: it tells a kind, and the names
 * that it is about, in no other form. The first that matches counts.
 */
const kinds = {
  unknownField:
    /^Cannot query field "(?<name>\w+)" on type "(?<type>\w+)"\.(?<fragment> Did you mean to use an inline)?/,
  conflict: /^Fields "(?<name>\w+).*" conflict because /s,
  noSelection: /^Field "(?<name>\w+)" of type "\[?(?<type>\w+)[^"]*" must have /,
  selection: /^Field "(?<name>\w+)" must not have a selection /,
  missingArgument: /^(?:Field|Directive) "(?<of>@?\w+)" argument "(?<name>\w+)" of type "(?<type>.+)" is required/,
  unknownArgument:
    /^Unknown argument "(?<name>\w+)" on (?:field "(?<type>\w+)\.(?<field>\w+)"|directive "@(?<directive>\w+)")\./,
  missingInput: /^Field "(?:(?<of>\w+)\.)?(?<name>\w+)" of required type "(?<type>.+)" was not provided\.$/,
  unknownInput: /^Field "(?<name>.*)" is not defined by type "(?<type>\w+)"\./s,
  missingVariable: /^Variable "\$(?<name>\w+)" of required type "(?<type>.+)" was not provided\.$/,
  nullVariable: /^Variable "\$(?<name>\w+)" of non-null type "(?<type>.+)" must not be null\.$/,
  otherPlace: /^Variable "\$(?<name>\w+)" of type ".+" used in position expecting type "(?<type>.+)"\.$/,
  outputType: /^Variable "\$(?<name>\w+)" cannot be non-input type /,
  undeclared: /^Variable "\$(?<name>\w+)" is not defined(?: by operation "(?<operation>\w+)")?\.$/,
  unused: /^(?:Variable|Fragment) "(?<name>\$?\w+)" is never used/,
  unknownType: /^Unknown type "(?<name>\w+)"\./,
  unknownFragment: /^Unknown fragment "(?<name>\w+)"\.$/,
  deferring: /^Unknown directive "@(?:defer|stream)"/,
  unknownDirective: /^Unknown directive "@(?<name>\w+)"\.$/,
  directivePlace: /^Directive .* may not be used on /,
  notExecutable: / definition is not executable\.$/,
  repeatedPart: /^There can be only one (?:argument|input field|variable) |can only be used once at this location\.$/,
  repeatedName: /^There can be only one /,
  anonymous: /^This anonymous operation /,
  cycle: /^Cannot spread fragment /,
  otherFragment: /^Fragment .*cannot be spread here /s,
  noFieldsType: /^Fragment .*cannot condition on non composite /s,
  null: /^Expected (?:value of|non-nullable) type "(?<type>.+)"(?:, found null\.| not to be null\.)$/,
  enum: /^(?:Value ".*" does not exist in|Enum) "(?<type>\w+)"/s,
  object: /^Expected (?:value of )?type "(?<type>[^"]+)"(?:, found | to be an object\.$)/,
  scalar: /^(?<type>\w+) (?:cannot represent|is) /,
} as const;

export type Kind = keyof typeof kinds;

/** What graphql-js says of a problem. */
export interface Told {
  /** Null if it is of none of these kinds. */
  readonly kind: Kind | null;
  /** The names in the message, by what they name. */
  readonly names: { readonly [what: string]: string | undefined };
  /** The names that it proposes: `Did you mean "a" or "b"?` */
  readonly similar: readonly string[];
}

/** Whether two errors are about the same mistake, though perhaps at different places. */
export const isSameProblem = (one: Error, other: Error): boolean => one.message === other.message;

/** Reads a message of graphql-js. */
export function read(message: string): Told {
  const [, proposed = ''] = /Did you mean (.*)\?$/s.exec(message) ?? [];
  const similar = [...proposed.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
  for (const [kind, words] of Object.entries(kinds)) {
    const found = words.exec(message);
    if (found) return { kind: kind as Kind, names: found.groups ?? {}, similar };
  }
  return { kind: null, names: {}, similar };
}

/** The count 0 for each name. */
export function toZeros<Name extends string>(names: readonly Name[]): { [N in Name]: number } {
  return Object.fromEntries(names.map((name) => [name, 0])) as { [N in Name]: number };
}

/** A whole number with commas: `1,234,567`. `toLocaleString` loads the tables of all languages, a tenth of a start. */
export function inThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1,234 lines`, `1 line`. */
export function toAmount(count: number, one: string, many = `${one}s`): string {
  return `${inThousands(count)} ${count === 1 ? one : many}`;
}

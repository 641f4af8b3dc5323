/** A whole number with commas: `1,234,567`. `toLocaleString` loads the tables of all languages, a tenth of a start. */
export function inThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * A whole number with commas: `1,234,567`. `toLocaleString` loads the tables of all languages, a tenth of start-up
 * time.
 */
export function inThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1st`, `22nd`, `13th`. */
export function toOrdinal(count: number | string): string {
  const [tens, last] = [Number(count) % 100, Number(count) % 10];
  const ending = tens > 10 && tens < 14 ? undefined : ['th', 'st', 'nd', 'rd'][last];
  return `${count}${ending ?? 'th'}`;
}

/** `1,234 lines`, `1 line`. */
export function toAmount(count: number, one: string, many = `${one}s`): string {
  return `${inThousands(count)} ${count === 1 ? one : many}`;
}

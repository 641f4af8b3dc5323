/** Whether a value is an object of JSON: neither null nor a list. */
export function isJsonObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

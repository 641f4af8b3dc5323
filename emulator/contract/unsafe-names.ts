/** Whether a key, assigned somewhere, would reach a prototype. */
export function isUnsafeName(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

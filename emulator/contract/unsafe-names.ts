/** Whether a key, assigned somewhere, would replace a prototype. */
export function isProto(key: string): boolean {
  return key === '__proto__';
}

/** Whether a key, assigned by at some depth, would reach a prototype. */
export function isUnsafeName(key: string): boolean {
  return isProto(key) || key === 'constructor';
}

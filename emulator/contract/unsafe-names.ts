/** Whether assigning a value to this key would replace a prototype. */
export function isProto(key: string): boolean {
  return key === '__proto__';
}

/** Whether a key would reach a prototype when a value is assigned along several keys. */
export function isUnsafeName(key: string): boolean {
  return isProto(key) || key === 'constructor';
}

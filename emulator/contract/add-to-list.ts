/** Puts a value at the end of the list under a key, or starts the list. */
export function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/** How often a byte occurs. Counts up to one more than `most`. */
export function count(bytes: Buffer, byte: number, most: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && found <= most; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

/** Finds a text whatever its case. @param query not empty */
export function toHitPattern(query: string): RegExp {
  // Not by texts in lower case: some characters become two there, and every place after them is another one.
  return new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`), 'giu');
}

/** Finds a text, ignoring case. @param query not empty */
export function toHitPattern(query: string): RegExp {
  // Not by comparing lower-case texts: some characters become two, which moves every place after them.
  return new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`), 'giu');
}

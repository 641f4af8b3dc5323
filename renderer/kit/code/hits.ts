/** Finds a text, ignoring case. @param query not empty */
export function toHitPattern(query: string): RegExp {
  // Comparing lower-case texts would not work: some characters become two, which shifts every later position.
  return new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`), 'giu');
}

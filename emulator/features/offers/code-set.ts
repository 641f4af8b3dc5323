/** A set of codes that may have millions. */
export interface CodeSet {
  /** Whether it is new. */
  add(code: string): boolean;
}

const parts = 1024;

/**
 * Creates an empty set, in many parts: a Set that grows beyond a limit is copied as a whole, which takes a tenth of a second
 * for a million codes, and none can have more than 16.7 million.
 */
export function createCodeSet(): CodeSet {
  const sets = Array.from({ length: parts }, () => new Set<string>());
  return {
    add(code) {
      const set = sets[partOf(code)] as Set<string>;
      const before = set.size;
      set.add(code);
      return set.size > before;
    },
  };
}

/** By the last characters, which differ most. */
function partOf(code: string): number {
  let hash = 0;
  for (let at = Math.max(0, code.length - 8); at < code.length; at++) hash = Math.imul(hash, 31) + code.charCodeAt(at);
  return (hash >>> 0) % parts;
}

/** A set that may hold millions of codes. */
export interface CodeSet {
  /** Adds a code. Returns whether it is new. */
  add(code: string): boolean;
}

const parts = 1024;
/** A Set of this size is copied in a few milliseconds when it grows. */
const mostInOne = 2 ** 18;

/**
 * Creates an empty set. Above a certain size it has many parts: a growing Set is copied as a whole, which takes a tenth
 * of a second for a million codes, and a Set can have at most 16.7 million. Below that size, a single Set is faster.
 */
export function createCodeSet(): CodeSet {
  const first = new Set<string>();
  let count = 0;
  let others: readonly Set<string>[] = [];
  return {
    add(code) {
      if (count < mostInOne) {
        const before = count;
        count = first.add(code).size;
        return count > before;
      }
      if (first.has(code)) return false;
      if (others.length === 0) others = Array.from({ length: parts }, () => new Set<string>());
      const part = others[partOf(code)] as Set<string>;
      const before = part.size;
      return part.add(code).size > before;
    },
  };
}

/** The part of a code, by its last characters, which differ most. */
function partOf(code: string): number {
  let hash = 0;
  for (let at = Math.max(0, code.length - 8); at < code.length; at++) hash = Math.imul(hash, 31) + code.charCodeAt(at);
  return (hash >>> 0) % parts;
}

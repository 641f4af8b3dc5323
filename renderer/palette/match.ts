/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** Further words for the search, not shown. */
  readonly words: string;
  /** Why the entry cannot run now. It then comes after those that can. */
  readonly why?: string | null;
}

/** The words of a search, in lower case. */
export function toWords(question: string): readonly string[] {
  return question.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The score of an entry: every word must match, best at the beginning of the title. Null if a word is missing. */
function toScore({ title, hint, words }: Entry, wanted: readonly string[]): number | null {
  const [inTitle, elsewhere] = [title.toLowerCase(), `${hint} ${words}`.toLowerCase()];
  let score = 0;
  for (const word of wanted) {
    const at = inTitle.indexOf(word);
    if (at === 0) score += 4;
    else if (at > 0) score += /[^a-z0-9]/.test(inTitle[at - 1] ?? '') ? 3 : 1;
    else if (elsewhere.includes(word)) score += 0.5;
    else return null;
  }
  return score;
}

/** The matching entries, best first; equal ones keep their order. */
export function toMatches<E extends Entry>(
  entries: readonly E[],
  wanted: readonly string[],
  most: number,
): readonly E[] {
  if (wanted.length === 0) return entries.filter(({ why }) => !why).slice(0, most);
  return entries
    .flatMap((entry) => {
      const score = toScore(entry, wanted);
      return score === null ? [] : [{ entry, score: entry.why ? score - 100 : score }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** Splits a text into parts, with the matches marked. */
export function toParts(
  text: string,
  wanted: readonly string[],
): readonly { readonly text: string; readonly hit: boolean }[] {
  const lower = text.toLowerCase();
  const hits = Array.from({ length: text.length }, () => false);
  // Some letters change their length in lower case, so positions would not match.
  if (lower.length !== text.length) return [{ text, hit: false }];
  for (const word of wanted)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
      hits.fill(true, at, at + word.length);
  const parts: { text: string; hit: boolean }[] = [];
  for (const [index, hit] of hits.entries()) {
    const last = parts.at(-1);
    if (last && last.hit === hit) last.text += text[index] ?? '';
    else parts.push({ text: text[index] ?? '', hit });
  }
  return parts;
}

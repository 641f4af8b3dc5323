/** One step from one list of lines to another: both positions, and which of the two moves on. */
export interface Edit {
  readonly sign: ' ' | '-' | '+';
  /** In the old list; for `+` the line before which it comes. */
  readonly old: number;
  readonly next: number;
}

/** More differences than this are shown as one block out and one block in: finding the fewest would take too long. */
const mostDifferences = 1_000;

/** The shortest way from one list of lines to the other (Myers 1986, greedy), common beginning and end first. */
export function toEdits(old: readonly string[], next: readonly string[]): readonly Edit[] {
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const [oldMiddle, nextMiddle] = [old.slice(head, old.length - tail), next.slice(head, next.length - tail)];
  const edits: Edit[] = [];
  for (let at = 0; at < head; at += 1) edits.push({ sign: ' ', old: at, next: at });
  for (const { sign, old: from, next: to } of shortest(oldMiddle, nextMiddle))
    edits.push({ sign, old: from + head, next: to + head });
  for (let at = tail; at > 0; at -= 1) edits.push({ sign: ' ', old: old.length - at, next: next.length - at });
  return edits;
}

function shortest(old: readonly string[], next: readonly string[]): readonly Edit[] {
  const most = Math.min(old.length + next.length, mostDifferences);
  /** Diagonal → how far in `old` it was followed, for every number of differences. */
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= most; differences += 1) {
    const now = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down = reach.get(diagonal + 1) ?? -1;
      const right = (reach.get(diagonal - 1) ?? -1) + 1;
      let x = diagonal === -differences || (diagonal !== differences && right <= down) ? down : right;
      while (x < old.length && x - diagonal < next.length && old[x] === next[x - diagonal]) x += 1;
      now.set(diagonal, x);
      if (x < old.length || x - diagonal < next.length) continue;
      trace.push(now);
      return walkBack(trace, old.length, next.length);
    }
    trace.push(now);
    reach = now;
  }
  return [
    ...old.map((_line, at): Edit => ({ sign: '-', old: at, next: 0 })),
    ...next.map((_line, at): Edit => ({ sign: '+', old: old.length, next: at })),
  ];
}

function walkBack(trace: readonly ReadonlyMap<number, number>[], oldLength: number, nextLength: number): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [oldLength, nextLength];
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const before = trace[differences - 1];
    const diagonal = x - y;
    const down = before?.get(diagonal + 1) ?? -1;
    const right = (before?.get(diagonal - 1) ?? -1) + 1;
    const came = diagonal === -differences || (diagonal !== differences && right <= down) ? '+' : '-';
    const startX = before ? (came === '+' ? down : right) : 0;
    const startY = before ? startX - diagonal : 0;
    while (x > startX && y > startY) {
      [x, y] = [x - 1, y - 1];
      edits.push({ sign: ' ', old: x, next: y });
    }
    if (!before) break;
    if (came === '+') y -= 1;
    else x -= 1;
    edits.push({ sign: came, old: x, next: y });
  }
  return edits.reverse();
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
  [1, 'ms'],
] as const;

/** `15 s`, `2 m`, `3 d`: in the largest unit that fits evenly. */
export function sayLength(ms: number): string {
  const [size, word] = units.find(([one]) => ms >= one && ms % one === 0) ?? [1, 'ms'];
  return `${ms / size}\u00a0${word}`;
}

/** The lengths of the one-click advances: the lifetimes of codes, links, retries and deadlines. */
export const steps = [
  { length: '2m', words: '2 m' },
  { length: '1h', words: '1 h' },
  { length: '12h', words: '12 h' },
  { length: '1d', words: '1 d' },
  { length: '30d', words: '30 d' },
] as const;

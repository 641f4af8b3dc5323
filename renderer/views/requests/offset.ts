/** `+19 ms`, `+2.4 s`, `−3 m`: how long after something else. */
export function toOffset(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 1) return `${sign}${Math.round(Math.abs(ms))} ms`;
  return seconds < 120 ? `${sign}${seconds.toFixed(1)} s` : `${sign}${Math.round(seconds / 60)} m`;
}

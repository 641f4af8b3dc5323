/** The time after another event: `+19 ms`, `+2.4 s`, `−3 m`, `+5 h`, `+3 d`. */
export function toOffset(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 1) return `${sign}${Math.round(Math.abs(ms))} ms`;
  if (seconds < 120) return `${sign}${seconds.toFixed(1)} s`;
  if (seconds < 7_200) return `${sign}${Math.round(seconds / 60)} m`;
  return seconds < 172_800 ? `${sign}${Math.round(seconds / 3_600)} h` : `${sign}${Math.round(seconds / 86_400)} d`;
}

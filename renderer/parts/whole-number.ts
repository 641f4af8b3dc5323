/** Converts typed text to a whole number. Other text is sent unchanged, so that the refusal names it. */
export function toWholeNumber(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number);
}

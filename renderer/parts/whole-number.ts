/** A whole number as typed. Anything else is sent as it is, so that the refusal names it. */
export function toWholeNumber(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number);
}

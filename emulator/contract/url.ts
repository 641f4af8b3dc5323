/**
 * Whether a text is an absolute http or https URL. Not with control characters: URL drops some of them, so that another
 * address would be stored than the one that is called.
 */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && isUrl(text);
}

/**
 * Whether a text is an absolute URL. In Node 20 `URL.canParse` refuses every text with other letters than ASCII once it
 * was called some thousand times (its compiled form reads their bytes as UTF-8), so such texts are parsed.
 */
export function isUrl(text: string): boolean {
  if (!/[^\u0000-\u007f]/.test(text)) return URL.canParse(text);
  try {
    return new URL(text) instanceof URL;
  } catch {
    return false;
  }
}

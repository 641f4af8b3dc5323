/**
 * Whether a text is an absolute http or https URL. Not with control characters: URL drops some of them, so that another
 * address would be stored than the one that is called.
 */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && isUrl(text);
}

/**
 * Whether a text is an absolute URL, or one from the base, if there is one. Not by `URL.canParse`: in Node 20 it refuses every text with other letters than ASCII
 * once it was called some thousand times (its compiled form reads their bytes as UTF-8), and the URL of jsdom has none.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL;
  } catch {
    return false;
  }
}

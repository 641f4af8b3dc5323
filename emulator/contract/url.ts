/**
 * Whether a text is an absolute http or https URL. Control characters are refused: URL drops some of them, so the
 * stored address would differ from the one that is called.
 */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && isUrl(text);
}

/**
 * Whether a text is an absolute URL, or one relative to the base, if there is one. Does not use `URL.canParse`: in Node
 * 20, after some thousand calls it refuses every text with letters outside ASCII (its compiled form reads their bytes
 * as UTF-8), and the URL of jsdom does not have it.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL;
  } catch {
    return false;
  }
}

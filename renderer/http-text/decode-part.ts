/** Decodes a part of a URL or of a form. Text with an invalid encoding stays as it was written. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

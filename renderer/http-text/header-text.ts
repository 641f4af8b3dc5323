/** The value of a header as text. It is recorded byte by byte, and almost all non-ASCII values are sent as UTF-8. */
export function toHeaderText(value: string): string {
  if (!/^[\0-\xff]*$/.test(value)) return value;
  try {
    const bytes = Uint8Array.from(value, (byte) => byte.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The value is in another encoding.
    return value;
  }
}

/** A text as the value of a header: each of its UTF-8 bytes as one character. */
export function toHeaderBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** Headers as lines of text. */
export function toHeaderLines(headers: readonly (readonly [string, unknown])[]): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${toHeaderText(String(value))}`);
}

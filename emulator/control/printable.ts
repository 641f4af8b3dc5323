/** Text for a terminal: control characters, which could move the cursor or change colours, are written out. */
export function toPrintable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

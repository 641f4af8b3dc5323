const escapes: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as the content of an element, or as the value of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** The text that `escapeHtml` made an escaped text of. */
export function unescapeHtml(html: string): string {
  return Object.entries(escapes).reduceRight((text, [character, escape]) => text.replaceAll(escape, character), html);
}

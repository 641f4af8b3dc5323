/** Parses pasted headers into values by lower-case name; other lines are ignored. */
export function readHeaders(text: string): { readonly [name: string]: string | undefined } {
  const headers = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*['"]?([A-Za-z0-9-]+)['"]?\s*[:=]\s*['"]?(.*?)['"]?,?\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}

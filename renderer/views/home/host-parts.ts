/** Splits an address into `http://` and the rest, which people read. */
export function toHostParts(url: string): { readonly scheme: string; readonly rest: string } {
  const at = url.indexOf('//') + 2;
  return { scheme: url.slice(0, at), rest: url.slice(at) };
}

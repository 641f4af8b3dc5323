/** A short form of an address, without the scheme. */
export function toShortUrl(url: string): string {
  return url.replace(/^http:\/\//, '').replace(/\/$/, '');
}

/** The path and query of an address, as in the first line of an HTTP request. */
export function toPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url;
}

export function toHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

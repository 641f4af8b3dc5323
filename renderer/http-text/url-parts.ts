/** A path in three parts: the common prefix, the middle, which may be cut, and the last segment, which stays. */
export interface UrlParts {
  readonly prefix: string;
  readonly head: string;
  readonly tail: string;
}

/** `/v1/coupons/1/create?x=1` → `/v1`, `/coupons/1`, `/create?x=1`. */
export function toUrlParts(url: string): UrlParts {
  const [, prefix = '', rest = url] = /^(\/v1)(\/.*)$/s.exec(url) ?? [];
  const query = rest.indexOf('?');
  const cut = rest.slice(0, query === -1 ? undefined : query).lastIndexOf('/');
  return { prefix, head: rest.slice(0, Math.max(0, cut)), tail: rest.slice(Math.max(0, cut)) };
}

/**
 * Whether a redirect URI may be used: it is one of those registered with the app (section 5, OAuth 2.0 flow, 2).
 * They are compared exactly; one to this machine itself may differ in its port, as a program on a developer's machine
 * listens on whichever port is free (RFC 8252 section 7.3).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (!URL.canParse(redirectUri)) return false;
  return registered.some((known) => known === redirectUri || differInLoopbackPortOnly(known, redirectUri));
}

function differInLoopbackPortOnly(known: string, sent: string): boolean {
  const [one, other] = [withoutPort(known), withoutPort(sent)];
  return one !== null && one === other;
}

/** The text of a loopback http URI without its port; null for any other. The rest is kept as it was written. */
function withoutPort(uri: string): string | null {
  const match = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri);
  return match ? `${match[1]}${match[2]}` : null;
}

/** A redirect URI with parameters added, fit for a header; what stands in it already is left as it is. */
export function withParameters(
  redirectUri: string,
  parameters: { readonly [name: string]: string | undefined },
): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const [, target = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(redirectUri) ?? [];
  const joined = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?';
  return `${target}${joined}${added.join('&')}${fragment}`.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/**
 * The sources that a form's `form-action` must name, so that the redirect which answers the form may be followed.
 * Chromium holds the directive against every redirect on the way. An app on this machine often goes on from its callback
 * to another port (its own pages), so for one any loopback port is named. A source cannot be written for an IPv6 address
 * or an unusual host: then the scheme is.
 */
export function toFormTargets(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
    return 'http://localhost:* http://127.0.0.1:*';
  return /^https?:$/.test(protocol) && /^[a-z0-9.-]+(?::\d+)?$/.test(host) ? `${protocol}//${host}` : protocol;
}

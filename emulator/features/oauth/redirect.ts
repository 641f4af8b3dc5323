import { isUrl } from '../../contract/url.ts';

/**
 * Whether a redirect URI may be used: it is registered with the app (section 5, OAuth 2.0 flow, 2). URIs are compared
 * exactly, but a URI of this machine may differ in its port, because a program on a developer's machine listens on any
 * free port (RFC 8252 section 7.3).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (!isUrl(redirectUri)) return false;
  return registered.some((known) => known === redirectUri || differInLoopbackPortOnly(known, redirectUri));
}

function differInLoopbackPortOnly(known: string, sent: string): boolean {
  const [one, other] = [withoutPort(known), withoutPort(sent)];
  return one !== null && one === other;
}

/** The text of a loopback http URI without its port; null for any other. The rest stays as it was written. */
function withoutPort(uri: string): string | null {
  const match = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri);
  return match ? `${match[1]}${match[2]}` : null;
}

/** A redirect URI with added parameters, valid in a header; the rest of it stays as it is. */
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
 * The sources that a form's `form-action` must name, so that the browser follows the redirect after the form. Chromium
 * checks the directive for every redirect in the chain. An app on this machine often redirects from its callback to
 * another port (its own pages), so for such an app any loopback port is allowed. IPv6 addresses and unusual hosts
 * cannot be written as a source: then the scheme is allowed.
 */
export function toFormTargets(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
    return 'http://localhost:* http://127.0.0.1:*';
  return /^https?:$/.test(protocol) && /^[a-z0-9.-]+(?::\d+)?$/.test(host) ? `${protocol}//${host}` : protocol;
}

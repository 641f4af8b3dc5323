import type { IncomingMessage } from 'node:http';
import { toErrorText } from './error-text.ts';
import { inHeader, refuse } from '../rules.ts';
import { inputRules } from './input-rules.ts';
import type { Reply } from './endpoint.ts';
import type { Exchange } from './record/exchange.ts';
import type { Recorder } from './record/recorder.ts';
import { isUrl } from '../contract/url.ts';

/** The number of sites whose first request is recorded. Requests of further sites are refused without a record. */
const mostSites = 50;

export interface CrossSiteGuard {
  /** The reply to a request that is not recorded; null for a request that is. */
  refuseUnrecorded(site: Site): Reply | null;
  /** Refuses the first request of a site. */
  refuse(site: Site, exchange: Exchange): never;
}

/**
 * Any page in a browser can send requests to this machine, though it cannot read the answers. Such requests are
 * refused. Only the first one of each site is recorded, with the number of later ones in a note: otherwise a page could
 * push all earlier requests out of the record. Browsers say in `Sec-Fetch-Site` where a request comes from, or, if they
 * are older, in Origin and Referer; other clients do not send that header. Following a link or a redirect to a page for
 * people, such as the install page, is allowed; a form that a page sends by itself, or a frame in it, is not.
 */
export function createCrossSiteGuard(recorder: Pick<Recorder, 'get'>): CrossSiteGuard {
  const firsts = new Map<string, { readonly exchange: Exchange; later: number }>();
  /**
   * Forgets first requests that are no longer recorded, for example because the record was cleared. A request that is
   * being handled will be recorded.
   */
  const forgetGone = (): void => {
    for (const [site, { exchange }] of firsts)
      if (exchange.durationMs !== null && !recorder.get(exchange.id)) firsts.delete(site);
  };
  const { crossSite: rule } = inputRules;
  return {
    refuseUnrecorded({ origin: site }) {
      forgetGone();
      const first = firsts.get(site);
      if (!first && firsts.size < mostSites) return null;
      if (first) {
        first.later += 1;
        const kept = recorder.get(first.exchange.id);
        if (kept) kept.notes = [`${first.later} later requests of this site were also refused, and not recorded.`];
      }
      const facts = { status: rule.status, message: rule.message({ site }), reference: 0 };
      const { type, text } = toErrorText('message', facts);
      return { status: rule.status, body: text, headers: { 'content-type': type, 'x-sandbox-rule': rule.id } };
    },
    refuse({ origin: site, header, value }, exchange) {
      firsts.set(site, { exchange, later: 0 });
      return refuse(rule, inHeader(header), value, { site });
    },
  };
}

/** A page of another site, and the header that says so. */
export interface Site {
  /** Its origin. */
  readonly origin: string;
  readonly header: 'sec-fetch-site' | 'origin' | 'referer';
  readonly value: string;
}

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The page of another site that sent the request; null for all other requests. */
export function siteOf(request: Request): Site | null {
  const { headers } = request;
  const said = headers['sec-fetch-site'];
  if (said === undefined) return headers.origin || headers.referer ? siteBefore(request) : null;
  if (said !== 'cross-site') return null;
  const isInFrame = /^(?:i?frame|embed|object|fencedframe)$/.test(String(headers['sec-fetch-dest'] ?? 'document'));
  const isLink = headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET' && !isInFrame;
  if (isLink && forPeople.test(request.url ?? '')) return null;
  const { origin, referer = '' } = headers;
  return { origin: origin ?? originOf(referer) ?? 'another site', header: 'sec-fetch-site', value: said };
}

/**
 * The same for browsers that do not send `Sec-Fetch-Site`, such as Safari before 16.4: by Origin, or by Referer for a
 * request without an Origin. Other clients may send these headers for reasons of their own, so only browsers are
 * checked. The headers do not distinguish a link from a frame: opening a page for people is never refused, and a page
 * that hides its Referer is not noticed.
 */
function siteBefore({ method, url = '', headers }: Request): Site | null {
  if (!headers['user-agent']?.startsWith('Mozilla/')) return null;
  // The install page sends its own form with the origin "null", and checks it by itself.
  if (forPeople.test(url) && (method === 'GET' || headers.origin === 'null')) return null;
  const header = headers.origin === undefined ? 'referer' : 'origin';
  const value = headers[header] ?? '';
  const origin = originOf(value);
  const host = hostOf(`http://${headers.host}`);
  if (origin !== null && hostOf(origin) === host) return null;
  return { origin: origin ?? 'another site', header, value };
}

const originOf = (url: string): string | null => (isUrl(url) ? new URL(url).origin : null);
const hostOf = (url: string): string | null => (isUrl(url) ? new URL(url).hostname : null);

/** The install page, short links, and the address that leads to the inspector's GraphQL. */
const forPeople = /^\/(?:integrations\/oauth-install|l\/[^/?]+|v1\/graphql)(?:\?|$)/;

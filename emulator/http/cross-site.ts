import type { IncomingMessage } from 'node:http';
import { toErrorText } from '../errors.ts';
import { inHeader, refuse } from '../rules.ts';
import { inputRules } from './input-rules.ts';
import type { Reply } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Recorder } from './recorder.ts';
import { isUrl } from '../contract/url.ts';

/** The number of sites whose first request is recorded; those of further sites are refused without a record. */
const mostSites = 50;

export interface CrossSiteGuard {
  /** The reply to a request that is not recorded; null for one that is. */
  refuseUnrecorded(site: string): Reply | null;
  /** Refuses the first request of a site. */
  refuse(site: string, exchange: Exchange): never;
}

/**
 * Any page in a browser can send requests to this machine, though it cannot read the answers. Such requests are
 * refused, and only the first of each site is recorded, with the number of later ones in a note: otherwise a page could
 * push all earlier requests out of the record. Browsers say in `Sec-Fetch-Site` where a request comes from; other
 * clients do not send that header. Following a link or a redirect to a page for people, such as the install page, is
 * allowed; a form that a page sends by itself, or a frame in it, is not.
 */
export function createCrossSiteGuard(recorder: Pick<Recorder, 'get'>): CrossSiteGuard {
  const firsts = new Map<string, { readonly id: string; later: number }>();
  const { crossSite: rule } = inputRules;
  return {
    refuseUnrecorded(site) {
      const first = firsts.get(site);
      if (!first && firsts.size < mostSites) return null;
      if (first) {
        first.later += 1;
        const kept = recorder.get(first.id);
        if (kept) kept.notes = [`${first.later} later requests of this site were also refused, and not recorded.`];
      }
      const facts = { status: rule.status, message: rule.message({ site }), reference: 0 };
      const { type, text } = toErrorText('message', facts);
      return { status: rule.status, body: text, headers: { 'content-type': type, 'x-sandbox-rule': rule.id } };
    },
    refuse(site, exchange) {
      firsts.set(site, { id: exchange.id, later: 0 });
      return refuse(rule, inHeader('sec-fetch-site'), 'cross-site', { site });
    },
  };
}

/** The origin of the page of another site that sent the request; null for all other requests. */
export function siteOf({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string | null {
  if (headers['sec-fetch-site'] !== 'cross-site') return null;
  const isInFrame = /^(?:i?frame|embed|object|fencedframe)$/.test(String(headers['sec-fetch-dest'] ?? 'document'));
  const isLink = headers['sec-fetch-mode'] === 'navigate' && method === 'GET' && !isInFrame;
  if (isLink && forPeople.test(url)) return null;
  const { origin, referer = '' } = headers;
  return origin ?? (isUrl(referer) ? new URL(referer).origin : 'another site');
}

/** The install page, short links, and the address that leads to the inspector's GraphQL. */
const forPeople = /^\/(?:integrations\/oauth-install|l\/[^/?]+|v1\/graphql)(?:\?|$)/;

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { assumed, documented, readsMore } from '../../contract/schema.ts';
import type { View } from '../../contract/shape.ts';
import { inForm, inHeader, refuse } from '../../rules.ts';
import { oauthRules } from './rules.ts';

/** The query of the install page. Required fields may be missing: then a person gets a page that names them. */
export const installQuery = readsMore(
  {
    type: 'object',
    properties: {
      client_id: documented({ type: 'string', examples: ['sandpiper-demo-client'] }),
      redirect_uri: documented({ type: 'string', examples: ['http://localhost:3000/callback'] }),
      scope: documented({ type: 'string', examples: ['webhooks:write'] }),
      state: documented({ type: 'string', examples: ['a-random-text'] }),
      response_type: assumed(
        { type: 'string', examples: ['code'] },
        'RFC 6749 section 4.1.1 requires it, so OAuth libraries send it; the specification does not name it, and it is not read.',
      ),
    },
  },
  { required: ['client_id', 'redirect_uri'] },
);
export type Asked = View<typeof installQuery>;

const cookieName = 'sandpiper_consent';

/**
 * The form's fields that carry the query. The state is percent-encoded: browsers change line breaks in fields, and the
 * state must come back unchanged.
 */
export function toHidden(asked: Asked): Asked {
  return pick({ ...asked, ...(asked.state !== undefined && { state: encodeURIComponent(asked.state) }) });
}

/** The query, from the fields of a form that `checkConsent` accepted. */
export function fromHidden(hidden: Asked): Asked {
  return pick({ ...hidden, ...(hidden.state !== undefined && { state: decodeURIComponent(hidden.state) }) });
}

/** Binds a form's fields to the browser that got them. */
export function toToken(secret: string, cookie: string, hidden: Asked): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([cookie, pick(hidden)]))
    .digest('hex');
}

/**
 * Refuses a consent that another page sent, or that was changed (docs/security.md, Host, origin and token). The page
 * has the policy `no-referrer`, under which browsers send `Origin: null` with its own form: Sec-Fetch-Site
 * distinguishes it from the null of a foreign page. Pages on other ports of the host share its cookies and are
 * same-site, so same-origin is required.
 */
export function checkConsent(
  secret: string,
  form: Asked & { readonly csrf_token?: string },
  headers: IncomingHttpHeaders,
): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') {
    refuse(oauthRules.consentToken, inHeader('sec-fetch-site'), site, {
      reason: `the browser calls it ${JSON.stringify(site)}`,
    });
  }
  const ownForm = origin === 'null' && site === 'same-origin';
  if (origin !== undefined && origin !== `http://${host}` && !ownForm) {
    refuse(oauthRules.consentToken, inHeader('origin'), origin, { reason: `it comes from ${JSON.stringify(origin)}` });
  }
  const cookie = readCookie(headers);
  if (cookie === null)
    return refuse(oauthRules.consentToken, inHeader('cookie'), undefined, {
      reason: 'the cookie of the page is missing',
    });
  const expected = Buffer.from(toToken(secret, cookie, form));
  const sent = Buffer.from(form.csrf_token ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    refuse(oauthRules.consentToken, inForm('csrf_token'), undefined, {
      reason: 'its token is missing, or belongs to another page',
    });
  }
}

/** The random value that identifies this browser; null if it has none yet. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders): string | null {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{20,60})(?:;|$)`).exec(cookie)?.[1] ?? null;
}

/** The header that sets a browser's value. */
export function toSetCookie(value: string): string {
  return `${cookieName}=${value}; Path=/integrations; HttpOnly; SameSite=Lax`;
}

function pick(asked: Asked): Asked {
  const names = Object.keys(installQuery.properties) as (keyof typeof installQuery.properties)[];
  return Object.fromEntries(names.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])));
}

import { assumed } from '../contract/schema.ts';
import { isWebUrl } from '../contract/url.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { refusedWith } from '../http/page.ts';
import { inPath, refuse, rule, show } from '../rules.ts';

export const shortLinkRules = {
  unknown: rule<{ id: string }>({
    id: 'links.unknown',
    status: 404,
    section: '2.5',
    provenance: 'assumed',
    reason: 'Section 2.5 says that URLs are shortened; how an unknown short link is answered is not public.',
    says: 'A short link comes from a message or an event of this sandbox.',
    message: ({ id }) => `There is no short link ${show(id)} to a web page.`,
    fix: () => ({ say: 'Follow a link of a message that still exists.', edits: [] }),
  }),
} as const;

const page = { type: 'string' } as const;

/**
 * GET /l/{id} on the server's root: redirects a short link to its URL and counts a click (sections 2.5, 6). A person
 * opens it, so an unknown link gets a page.
 */
const followLink = endpoint({
  method: 'GET',
  path: '/l/{id}',
  access: 'anyone',
  summary: 'Follow a short link',
  section: '2.5',
  provenance: 'assumed',
  reason: 'Section 2.5 says that URLs are shortened, but not at which address they are followed.',
  rules: [shortLinkRules.unknown],
  params: {
    type: 'object',
    required: ['id'],
    properties: { id: assumed({ type: 'string' }, 'Section 2.5 says that URLs are shortened, but not how.') },
  },
  replies: { 302: null, 404: page },
  errors: [],
  forPeople: true,
  refused: refusedWith('This link does not exist'),
  handle({ params: { id }, now, method }, { store, taps }) {
    const link = store.shortLinks.get(id);
    // A link from a state file may have any scheme; browsers are redirected to http and https only.
    if (!link || !isWebUrl(link.url)) return refuse(shortLinkRules.unknown, inPath('id'), id, { id });
    // A program that only checks where a link leads does not count as a click.
    if (method === 'GET') taps.follow(link, now);
    return { status: 302, body: null, headers: { ...headers, location: toLocation(link.url) } };
  },
});

const headers = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The URL as it was written if a header can carry that, else percent-encoded. */
function toLocation(url: string): string {
  return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
}

/** The operation on the server's root. */
export const shortLinkEndpoints: readonly Endpoint[] = [followLink];

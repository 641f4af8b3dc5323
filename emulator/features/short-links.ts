import { documented } from '../contract/schema.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { inPath, refuse, rule, show, type AnyRule } from '../rules.ts';

export const shortLinkRules = {
  unknown: rule<{ id: string }>({
    id: 'links.unknown',
    status: 404,
    section: '2.5',
    provenance: 'assumed',
    says: 'A short link is one that stands in a message or an event here.',
    message: ({ id }) => `No short link ${show(id)} is known here.`,
    fix: () => ({ say: 'Follow a link of a message that is still kept.', edits: [] }),
  }),
} as const;

/** These rules as a list. */
export const allShortLinkRules: readonly AnyRule[] = Object.values(shortLinkRules);

/** GET /l/{id} on the server's root: a short link leads on to its URL, and counts as a click (sections 2.5, 6). */
const followLink = endpoint({
  method: 'GET',
  path: '/l/{id}',
  access: 'anyone',
  summary: 'Follow a short link',
  section: '2.5',
  provenance: 'assumed',
  params: { type: 'object', required: ['id'], properties: { id: documented({ type: 'string' }) } },
  replies: { 302: null },
  errors: [404],
  handle({ params: { id }, now, method }, { store, acts }) {
    const link = store.shortLinks.get(id);
    if (!link) return refuse(shortLinkRules.unknown, inPath('id'), id, { id });
    // A program that only looks where a link leads is no click.
    if (method === 'GET') acts.follow(link, now);
    return {
      status: 302,
      body: null,
      headers: { location: link.url, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
    };
  },
});

/** The operation on the server's root. */
export const shortLinkEndpoints: readonly Endpoint[] = [followLink];

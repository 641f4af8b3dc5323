import { remove, rule, set, show } from '../../rules.ts';

/** The most characters of the name of a company or an app. */
export const longestName = 100;

/** The rules for companies, apps and keys, however they are created: the platform's own pages require the same. */
export const accountRules = {
  name: rule<{ what: string }>({
    id: 'accounts.name',
    status: 400,
    section: '5',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks names is not public.',
    says: `Companies and apps have a name of 1 to ${longestName} characters.`,
    message: ({ what }) => `The ${what} needs a name of 1 to ${longestName} characters that is not only spaces.`,
    fix: (_facts, place) => ({ say: 'Give it a name.', edits: [set(place, 'Curlew Coffee')] }),
    facts: () => ({ least: 1, limit: longestName }),
  }),
  lastCompany: rule({
    id: 'accounts.last-company',
    status: 409,
    section: '5',
    provenance: 'assumed',
    reason: 'The sandbox needs a company for its keys; the platform’s own UI is not public.',
    says: 'Every key belongs to a company, so there is always at least one company.',
    message: () =>
      'This is the only company, and without one no key would work. Create another one first, or reset to an empty store.',
    fix: () => ({ say: 'Create another company first.', edits: [] }),
  }),
  busyCompany: rule<{ name: string; count: number; busy: string }>({
    id: 'accounts.busy-company',
    status: 409,
    section: '5',
    provenance: 'assumed',
    reason: 'Work that is in progress would lose its records; the platform’s own UI is not public.',
    says: 'A company can be deleted when none of its work is in progress.',
    message: ({ name, count, busy }) =>
      `${show(name)} cannot be deleted yet: ${count} of its ${busy}. Advance the clock, or cancel that work.`,
    fix: () => ({ say: 'Wait until the work in progress has ended.', edits: [] }),
    facts: ({ count }) => ({ count }),
  }),
  keyTaken: rule<{ app: string }>({
    id: 'accounts.key-taken',
    status: 400,
    section: '5',
    provenance: 'assumed',
    reason: 'A key has to lead to one app; how the platform creates keys is not public.',
    says: 'An API key names one app of one company.',
    message: ({ app }) => `The app ${show(app)} already has this key. Choose another one.`,
    fix: (_facts, place) => ({ say: 'Leave the key out to get a random one.', edits: [remove(place)] }),
  }),
  privateKey: rule<{ name: string }>({
    id: 'accounts.private-key',
    status: 409,
    section: '5',
    provenance: 'documented',
    says: 'A private app is called with its API key, a public app installs itself by OAuth.',
    message: ({ name }) =>
      `${show(name)} is a public app: its tokens come from the token exchange, one for each company that installs it.`,
    fix: () => ({ say: 'Install the app.', edits: [] }),
  }),
  publicSecret: rule<{ name: string }>({
    id: 'accounts.public-secret',
    status: 409,
    section: '5',
    provenance: 'documented',
    says: 'A public app has a client id and a client secret, a private app an API key.',
    message: ({ name }) => `${show(name)} is a private app: it has API keys, and no client secret.`,
    fix: () => ({ say: 'Create an API key.', edits: [] }),
  }),
  redirectNeeded: rule({
    id: 'accounts.redirect-needed',
    status: 400,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'documented',
    says: 'The redirect URI must be one associated with the application.',
    message: () => 'A public app needs at least one redirect URI, such as http://localhost:3000/callback.',
    fix: (_facts, place) => ({ say: 'Name a redirect URI.', edits: [set(place, ['http://localhost:3000/callback'])] }),
  }),
  redirectUri: rule<{ sent: string }>({
    id: 'accounts.redirect-uri',
    status: 400,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'assumed',
    reason: 'Section 5 says that redirect URIs belong to the app; RFC 6749 section 3.1.2 says what one is.',
    says: 'A redirect URI is absolute and has no fragment (RFC 6749 section 3.1.2).',
    message: ({ sent }) =>
      `${show(sent)} cannot be a redirect URI. Write an absolute one without a fragment, such as http://localhost:3000/callback.`,
    fix: (_facts, place) => ({
      say: 'Write an absolute URI without a fragment.',
      edits: [set(place, 'http://localhost:3000/callback')],
    }),
  }),
  redirectPrivate: rule({
    id: 'accounts.redirect-private',
    status: 400,
    section: '5',
    provenance: 'documented',
    says: 'Only public apps install themselves by OAuth.',
    message: () => 'A private app has no redirect URIs: it is not installed, but called with its API key.',
    fix: (_facts, place) => ({ say: 'Leave the redirect URIs out.', edits: [remove(place)] }),
  }),
} as const;

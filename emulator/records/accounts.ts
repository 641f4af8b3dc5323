import { record, stored } from './definition.ts';
import { oneOf, orNull, text, texts, time } from './fields.ts';

export const companies = record(stored({ name: text, domain: text, contactEmail: text }), {
  words: ['company', 'companies'],
  owner: 'emulator',
  shownAt: null,
});

/** A private app is called with its API key; a public app installs itself by OAuth (section 5). */
export const apps = record(
  stored({
    companyId: text,
    kind: oneOf(['private', 'public']),
    name: text,
    scopes: texts,
    clientId: orNull(text),
    clientSecret: orNull(text),
    redirectUris: texts,
  }),
  {
    words: ['app', 'apps'],
    owner: 'company',
    secret: ['clientSecret'],
    found: ({ name, kind, scopes }) => ({
      title: `App ${name}`,
      about: `${kind}, ${scopes.length} scope${scopes.length === 1 ? '' : 's'}`,
      words: [],
    }),
    shownAt: 'apps',
  },
);

/** What may follow `Authorization: Bearer`. `companyId` is the company that made the key or installed the app. */
export const credentials = record(
  stored({
    companyId: text,
    appId: text,
    kind: oneOf(['api-key', 'oauth-token']),
    secret: text,
    scopes: texts,
    createdAt: time,
    expiresAt: orNull(time),
    revokedAt: orNull(time),
  }),
  { words: ['credential', 'credentials'], owner: 'company', secret: ['secret'], shownAt: null },
);

export const authorizationCodes = record(
  stored({
    companyId: text,
    appId: text,
    code: text,
    redirectUri: text,
    scopes: texts,
    createdAt: time,
    expiresAt: time,
    usedAt: orNull(time),
  }),
  { words: ['authorization code', 'authorization codes'], owner: 'company', secret: ['code'], shownAt: null },
);

/** What the emulator itself has to remember: `id` is the name of the setting. */
export const settings = record(stored({ value: {} }), {
  words: ['setting', 'settings'],
  owner: 'emulator',
  secret: ({ id }) => (/secret|token|key/i.test(id) ? ['value'] : []),
  shownAt: null,
});

/** Something the developer should know of: a webhook disabled by itself, a loop that was cut. */
export const platformNotices = record(
  stored({ companyId: orNull(text), at: time, level: oneOf(['info', 'warning', 'error']), text }),
  { words: ['notice', 'notices'], owner: 'emulator', shownAt: null },
);

import { anyValue, described, list, nullable, object, oneOf, text, time } from '../contract/shape.ts';
import { record } from './definition.ts';
import { id, owned } from './parts.ts';

export const companies = record(object({ id, name: text, domain: text, contactEmail: text }), {
  words: ['company', 'companies'],
  owner: 'emulator',
  shownAt: null,
});

/** A private app is called with its API key; a public app installs itself by OAuth (section 5). */
export const apps = record(
  object({
    ...owned,
    kind: oneOf('private', 'public'),
    name: text,
    scopes: list(text),
    clientId: nullable(text),
    clientSecret: nullable(text),
    redirectUris: list(text),
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
    shownAt: '/apps/{id}',
  },
);

/** A key or token for `Authorization: Bearer`. `companyId` is the company that made the key or installed the app. */
export const credentials = record(
  object({
    ...owned,
    appId: text,
    kind: oneOf('api-key', 'oauth-token'),
    secret: text,
    scopes: list(text),
    createdAt: time,
    expiresAt: nullable(time),
    revokedAt: nullable(time),
  }),
  { words: ['credential', 'credentials'], owner: 'company', secret: ['secret'], shownAt: null, toldAs: null },
);

export const authorizationCodes = record(
  object({
    ...owned,
    appId: text,
    code: text,
    redirectUri: text,
    scopes: list(text),
    createdAt: time,
    expiresAt: time,
    usedAt: nullable(time),
  }),
  { words: ['authorization code', 'authorization codes'], owner: 'company', secret: ['code'], shownAt: null },
);

/** A value that the emulator itself has to remember. */
export const settings = record(object({ id: described('The name of the setting.', id), value: anyValue }), {
  words: ['setting', 'settings'],
  owner: 'emulator',
  secret: ({ id: name }) => (/secret|token|key/i.test(name) ? ['value'] : []),
  shownAt: null,
  toldAs: null,
});

/** The setting with the Host names that were allowed while the emulator ran, a list of texts. */
export const allowedHostsSetting = 'allowed-hosts';

/** The setting with the last port of the built-in receiver, a number. */
export const receiverPortSetting = 'receiver-port';

/** A notice to the developer, such as that a webhook was disabled automatically or a loop was stopped. */
export const platformNotices = record(
  object(
    { id, companyId: nullable(text), at: time, level: oneOf('info', 'warning', 'error'), text },
    { about: described('The records that the text names.', list(object({ kind: text, id: text }))) },
  ),
  { words: ['notice', 'notices'], owner: 'emulator', shownAt: null, toldAs: null },
);

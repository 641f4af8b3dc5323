import { inHeader, refuse, rule, set, show, type Fix, type Place } from '../rules.ts';
import type { App, Credential } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toTail } from '../records/secrets.ts';
import type { Identity } from '../people/caller.ts';
import type { Access } from './endpoint.ts';

const place: Place = inHeader('authorization');

interface KeyFacts {
  /** A key that would be accepted, or null if the store has none. */
  readonly known: string | null;
}

interface HeaderFacts extends KeyFacts {
  /** What is there instead of the value of a variable: empty if that had none; null if there is something else. */
  readonly placeholder: string | null;
}

interface EndedFacts extends KeyFacts {
  readonly at: string;
  /** The name of the app if it is an access token from the token exchange; null if it is an API key. */
  readonly installed: string | null;
}

interface ScopeFacts {
  readonly needed: string;
  readonly held: readonly string[];
  readonly app: Pick<App, 'id' | 'name'>;
  readonly credentialId: string;
  /** Whether it is an access token from the token exchange. */
  readonly isToken: boolean;
  /** Whether the app has the scope, so that a new token may have it. */
  readonly ofApp: boolean;
}

const withKnownKey = ({ known }: KeyFacts): Fix => ({
  say: known
    ? 'Send the key of one of your apps as the bearer token.'
    : 'Create an app, then send its key as the bearer token.',
  edits: known ? [set(place, `Bearer ${known}`)] : [],
});

/** Only a new installation gives the app another token of this company; a key of another app would act as that one. */
const withNewToken = ({ installed, ...facts }: EndedFacts): Fix =>
  installed === null
    ? withKnownKey(facts)
    : { say: `Install the app ${show(installed)} again, and use the new token.`, edits: [] };

const withValue = ({ placeholder, known }: HeaderFacts): Fix => {
  const { say, edits } = withKnownKey({ known });
  if (placeholder === null) return { say, edits };
  return { say: `Let the variable be replaced by its value. ${say}`, edits };
};

/** What has no value is written like this by JavaScript, Python and shells. */
const nothing = /^(?:undefined|null|None|)$/;

/** Says that a variable was not replaced by its value. */
const sayPlaceholder = (placeholder: string): string =>
  nothing.test(placeholder)
    ? `Unauthorized: the Authorization header has ${placeholder === '' ? 'nothing' : show(placeholder)} where the API key or access token should be: the variable that was sent has no value.`
    : `Unauthorized: the Authorization header has ${show(placeholder)} itself: it was not replaced by the API key or access token.`;

/** The rules of authentication (section 5). */
export const authRules = {
  missing: rule<KeyFacts>({
    id: 'auth.missing',
    status: 401,
    section: '5',
    provenance: 'documented',
    says: 'All requests except the token exchange carry the header Authorization: Bearer <ACCESS_TOKEN>.',
    message: () =>
      'Unauthorized: the request has no Authorization header. Send "Authorization: Bearer" and an API key or access token.',
    fix: withKnownKey,
  }),
  malformed: rule<HeaderFacts>({
    id: 'auth.malformed',
    status: 401,
    section: '5',
    provenance: 'documented',
    says: 'All requests except the token exchange carry the header Authorization: Bearer <ACCESS_TOKEN>.',
    message: ({ placeholder }) =>
      placeholder === null
        ? 'Unauthorized: the Authorization header is not of the form "Bearer TOKEN".'
        : sayPlaceholder(placeholder),
    fix: withValue,
  }),
  unknown: rule<HeaderFacts & { shown: string }>({
    id: 'auth.unknown',
    status: 401,
    section: '5',
    provenance: 'documented',
    says: 'The bearer token is an API key of a private app or an access token from the token exchange.',
    message: ({ shown, placeholder }) =>
      placeholder === null
        ? `Unauthorized: there is no API key or access token ${shown}.`
        : sayPlaceholder(placeholder),
    fix: withValue,
  }),
  revoked: rule<EndedFacts>({
    id: 'auth.revoked',
    status: 401,
    section: '5',
    provenance: 'assumed',
    reason: 'Section 5 says where keys come from; that one is revoked is not described.',
    says: 'A revoked key is no longer accepted.',
    message: ({ at, installed }) =>
      `Unauthorized: this ${installed === null ? 'key' : 'access token'} was revoked at ${at}.`,
    fix: withNewToken,
    facts: ({ at }) => ({ at }),
  }),
  expired: rule<EndedFacts>({
    id: 'auth.expired',
    status: 401,
    section: '2.3',
    provenance: 'assumed',
    reason:
      'Section 5 says that tokens do not expire, section 2.3 that they carry expires_in. A token that got an expiry here is refused after it.',
    says: 'An access token with an expiry is not accepted after it.',
    message: ({ at }) => `Unauthorized: this access token expired at ${at}.`,
    fix: withNewToken,
    facts: ({ at }) => ({ at }),
  }),
  scope: rule<ScopeFacts>({
    id: 'auth.scope',
    status: 403,
    section: '4',
    provenance: 'documented',
    says: 'The scopes of the table in section 4 are required of the caller.',
    message: ({ needed, held, app }) =>
      `Access Denied: this operation needs the scope ${needed}; the credential of "${app.name}" has ${held.length > 0 ? held.join(', ') : 'no scope'}.`,
    // The request is correct; the scope is granted on the app's page. A token keeps the scopes of its installation.
    fix: ({ needed, app, isToken, ofApp }) => {
      const grant = `Grant the scope ${needed} to the app "${app.name}"`;
      if (!isToken) return { say: `${grant}.`, edits: [] };
      const again = `with ${needed} among the scopes that it asks for, and use the new token.`;
      return {
        say: ofApp ? `Install the app "${app.name}" again, ${again}` : `${grant}, install it again, ${again}`,
        edits: [],
      };
    },
    facts: ({ needed, held, app, credentialId }) => ({ needed: [needed], held, app, credentialId }),
  }),
} as const;

/** The token of an Authorization header; undefined if it has another form. */
export function tokenOf(authorization: string): string | undefined {
  return /^Bearer +([^\s]+)$/i.exec(authorization.trim())?.[1];
}

/**
 * What a header has instead of the value of a variable: `$API_KEY`, `{{apiKey}}`, `<token>`, `undefined`; empty if there
 * is nothing. Null for anything else. With digits it may be a real key, which is not repeated in a message.
 */
function placeholderIn(authorization: string): string | null {
  const [isBearer, sent = ''] = /^Bearer(?:\s+(.*))?$/is.exec(authorization.trim()) ?? [];
  return isBearer !== undefined && (nothing.test(sent) || placeholder.test(sent)) ? sent : null;
}

const placeholder =
  /^(?:\$[a-z_]{1,40}|(?:\$?\{{1,2}|<|%|\[)\s?[a-z][a-z_ .-]{0,40}(?:\}{1,2}|>|%|\])|(?:your|my)[_-][a-z_-]{1,40})$/i;

/** Identifies the caller, or refuses one without a valid credential. `access` only decides which key a fix suggests. */
export type Authenticate = (authorization: string | undefined, access: Access, now: number) => Identity;

/** Creates the check of bearer credentials against a store. */
export function createAuthenticate(store: Store): Authenticate {
  const bySecret = store.credentials.index('bySecret', (credential) => [credential.secret]);

  /**
   * @param sent the credential that was meant: no key of another company is suggested, so that the fix never acts there
   */
  const suggest = (access: Access, sent?: Credential): KeyFacts => {
    const isUsable = ({ revokedAt, expiresAt }: Credential): boolean => revokedAt === null && expiresAt === null;
    if (sent && isUsable(sent)) return { known: sent.secret };
    const usable = [...store.credentials.all()].filter(
      (one) => isUsable(one) && holds(one, access) && (!sent || one.companyId === sent.companyId),
    );
    const ofApp = usable.find(({ appId }) => appId === sent?.appId);
    return { known: (ofApp ?? usable[0])?.secret ?? null };
  };
  /** Finds a credential that a header has in another form: alone, after another word, or in quotes or brackets. */
  const findIn = (authorization: string): Credential | undefined =>
    authorization.split(/[\s:,;=\\"'`<>()[\]{}]+/).flatMap((word) => bySecret.get(word))[0];

  const headerFacts = (authorization: string, access: Access): HeaderFacts => {
    const sent = findIn(authorization);
    return { ...suggest(access, sent), placeholder: sent ? null : placeholderIn(authorization) };
  };
  const endedFacts = (credential: Credential, access: Access, at: string): EndedFacts => {
    const isToken = credential.kind === 'oauth-token';
    const app: App | undefined = isToken ? store.apps.get(credential.appId) : undefined;
    return { ...suggest(access, credential), at, installed: app?.name ?? null };
  };

  return (authorization, access, now) => {
    if (authorization === undefined) return refuse(authRules.missing, place, undefined, suggest(access), challenge);
    const token = tokenOf(authorization);
    if (token === undefined)
      return refuse(authRules.malformed, place, authorization, headerFacts(authorization, access), challenge);
    const credential = bySecret.get(token)[0];
    if (!credential)
      return refuse(
        authRules.unknown,
        place,
        token,
        { ...headerFacts(authorization, access), shown: show(toTail(token)) },
        challenge,
      );
    const { revokedAt, expiresAt } = credential;
    if (revokedAt !== null)
      return refuse(authRules.revoked, place, token, endedFacts(credential, access, revokedAt), challenge);
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      return refuse(authRules.expired, place, token, endedFacts(credential, access, expiresAt), challenge);
    }
    const app: App | undefined = store.apps.get(credential.appId);
    if (!app) throw new Error(`The credential ${credential.id} belongs to no app: ${credential.appId} is not stored.`);
    return { companyId: credential.companyId, credential, app };
  };
}

/** Refuses a caller whose credential lacks the scope that `access` names. */
export function requireScope({ credential, app }: Identity, access: Access): void {
  if (holds(credential, access)) return;
  const { scopes: held, id: credentialId, kind } = credential;
  const isToken = kind === 'oauth-token';
  const ofApp = app.scopes.some((scope) => scope === access);
  const facts = { needed: access, held, app: { id: app.id, name: app.name }, credentialId, isToken, ofApp };
  refuse(authRules.scope, place, held, facts);
}

/** The header of a 401 that says how to send a key (RFC 9110, section 11.6.1). */
export const challenge = { 'www-authenticate': 'Bearer realm="sandpiper"' };

function holds(credential: Credential, access: Access): boolean {
  return access === 'bearer' || access === 'anyone' || access === 'optional' || credential.scopes.includes(access);
}

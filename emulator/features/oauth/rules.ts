import { inForm, rule, set, show, type Fix } from '../../rules.ts';
import type { App } from '../../records.ts';

/** The parts of a public app that a fix of the install page needs. */
type Known = Pick<App, 'name' | 'clientId' | 'clientSecret' | 'redirectUris'> | null;

/** Without a public app, nothing that is sent helps. */
const createFirst: Fix = {
  say: 'There is no public app yet: create one, then send its client_id and secret.',
  edits: [],
};

/** Why an app does not get the scopes that an address asks for. */
export interface ScopeFault {
  /**
   * The scopes that were meant and that the app has. `unknown`: those that were asked for and that it does not have.
   */
  readonly meant: readonly string[];
  readonly unknown: readonly string[];
  readonly held: readonly string[];
  /** The first text that would be several scopes if its separator were not encoded. */
  readonly joined: { readonly text: string; readonly separator: string } | null;
}

/**
 * The rules of the authorization-code flow (section 5). The code of a token-endpoint rule is the error code of RFC 6749
 * section 5.2.
 */
export const oauthRules = {
  installClient: rule<{ sent: string; known: Known }>({
    id: 'install.client-id',
    status: 400,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'documented',
    says: 'The query parameter client_id is the one of a public app.',
    message: ({ sent }) =>
      `${sent === '' ? 'The address has no client_id' : `No public app has the client_id ${show(sent)}`}. There is no redirect, because the redirect URI of an unknown app cannot be trusted.`,
    fix: ({ known }, place) =>
      known
        ? {
            say: `Send the client_id of one of your public apps, such as that of ${nameOf(known)}.`,
            edits: known.clientId ? [set(place, known.clientId)] : [],
          }
        : createFirst,
  }),
  installRedirect: rule<{ sent: string; app: Known }>({
    id: 'install.redirect-uri',
    status: 400,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'documented',
    says: 'The redirect URI must be one associated with the application.',
    message: ({ sent, app }) =>
      `${sent === '' ? 'The address has no redirect_uri' : `The redirect_uri ${show(sent)} is not associated with this app`}. Associated ${app?.redirectUris.length === 1 ? 'is' : 'are'} ${app?.redirectUris.join(', ') || 'none'}; every character counts, only the port of a loopback address may differ. There is no redirect.`,
    fix: ({ app }, place) => ({
      say: 'Send a redirect URI of the app.',
      edits: app?.redirectUris[0] ? [set(place, app.redirectUris[0])] : [],
    }),
  }),
  installScope: rule<ScopeFault>({
    id: 'install.scope',
    // Sent to the app by a redirect (RFC 6749 section 4.1.2.1).
    status: 303,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'assumed',
    reason: 'Section 5 says that scope is optional; it does not say what happens to scopes that the app does not have.',
    says: 'An app asks for scopes that it has.',
    message: ({ unknown, held, joined }) =>
      [
        joined &&
          `${show(joined.text)} is read as one scope: its ${joined.separator} was encoded, so it separates nothing.`,
        unknown.length > 0 &&
          `The app does not have the scope ${unknown.map(show).join(', ')}. It has ${held.join(', ') || 'none'}.`,
      ]
        .filter(Boolean)
        .join(' '),
    fix: ({ meant, unknown, joined }, place) => ({
      say: [
        joined && 'Separate the scopes by spaces, encoded once: as + or %20.',
        unknown.length > 0 && 'Ask for scopes of the app.',
      ]
        .filter(Boolean)
        .join(' '),
      edits: meant.length > 0 ? [set(place, meant.join(' '))] : [],
    }),
  }),
  consentToken: rule<{ reason: string }>({
    id: 'install.consent-token',
    status: 403,
    section: '5, OAuth 2.0 flow, 3',
    provenance: 'assumed',
    reason: 'Section 5 says that the user authorizes; how the platform protects its page is not public.',
    says: 'Consent is given on the page that was shown to this browser, without changes.',
    message: ({ reason }) =>
      `This consent was not given on the page that Sandpiper showed (${reason}), so no code was issued. Open the install page again.`,
    fix: () => ({ say: 'Open the install page again.', edits: [] }),
  }),
  company: rule<{ sent: string; known: string | null }>({
    id: 'install.company',
    status: 400,
    section: '5, OAuth 2.0 flow, 3',
    provenance: 'assumed',
    reason: 'The user of the platform belongs to a company; here the page offers those of the sandbox.',
    says: 'The company that installs the app exists in this sandbox.',
    message: ({ sent }) => `There is no company ${show(sent)} here.`,
    fix: ({ known }, place) => ({
      say: `Choose a company that the page lists${known ? `, such as ${known}` : ''}.`,
      edits: known ? [set(place, known)] : [],
    }),
  }),
  missingField: rule<{ missing: readonly string[]; values: { readonly [name: string]: string } | null }>({
    id: 'oauth.invalid-request.missing',
    code: 'invalid_request',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'documented',
    says: 'The app sends grant_type, code, redirect_uri, client_id and client_secret, form-urlencoded.',
    message: ({ missing }) =>
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} required and missing. An empty value counts as missing.`,
    fix: ({ missing, values }) =>
      values
        ? {
            say: `Send ${missing.join(', ')}${missing.includes('code') ? '; the code comes with the redirect' : ''}.`,
            edits: missing.every((name) => name in values)
              ? missing.map((name) => set(inForm(name), values[name]))
              : [],
          }
        : createFirst,
  }),
  repeatedField: rule<{ name: string; times: number; once: string }>({
    id: 'oauth.invalid-request.repeated',
    code: 'invalid_request',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'The specification does not say it; RFC 6749 section 3.2 does.',
    says: 'A field is sent once (RFC 6749 section 3.2).',
    message: ({ name, times }) => `${name} was sent ${times} times. Send it once.`,
    fix: ({ name, once }) => ({ say: `Send ${name} once.`, edits: [{ op: 'replace-body', text: once }] }),
    facts: ({ name, times }) => ({ name, times }),
  }),
  otherClientId: rule<{ sent: string; used: string }>({
    id: 'oauth.invalid-request.other-client-id',
    code: 'invalid_request',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'The specification does not name HTTP Basic; RFC 6749 section 2.3 allows one method per request.',
    says: 'A client_id sent beside HTTP Basic is the one that HTTP Basic names.',
    message: ({ sent, used }) =>
      `The form has the client_id ${show(sent)}, but HTTP Basic names ${show(used)}. Which app exchanges the code is not clear.`,
    fix: ({ used }, place) => ({ say: 'Send the client_id of HTTP Basic, or none.', edits: [set(place, used)] }),
  }),
  grantType: rule<{ sent: string }>({
    id: 'oauth.unsupported-grant-type',
    code: 'unsupported_grant_type',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'documented',
    says: 'grant_type is authorization_code, the only accepted value.',
    message: ({ sent }) =>
      `The grant_type ${show(sent)} is not supported; the only accepted value is "authorization_code".`,
    fix: (_facts, place) => ({ say: 'Send "authorization_code".', edits: [set(place, 'authorization_code')] }),
  }),
  unknownClient: rule<{ sent: string; known: Known; by: 'form' | 'basic' }>({
    id: 'oauth.invalid-client.unknown',
    code: 'invalid_client',
    status: 401,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'No error of the token exchange is published; this one is from RFC 6749 section 5.2.',
    says: 'client_id is the one of a public app.',
    message: ({ sent }) => `No public app has the client_id ${show(sent)}.`,
    fix: ({ known, by }, place) =>
      known
        ? {
            say: `Send the client_id of your app, such as that of ${nameOf(known)}.`,
            edits: known.clientId ? [set(place, by === 'form' ? known.clientId : toBasic(known))] : [],
          }
        : createFirst,
  }),
  clientSecret: rule<{ app: Known; by: 'form' | 'basic' }>({
    id: 'oauth.invalid-client.secret',
    code: 'invalid_client',
    status: 401,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'No error of the token exchange is published; this one is from RFC 6749 section 5.2.',
    says: 'client_secret is the secret of the app that client_id names.',
    message: ({ app }) => `The client_secret is not the one of ${show(app?.clientId)}.`,
    fix: ({ app, by }, place) => ({
      say: 'Send the secret of the app.',
      edits: app?.clientSecret ? [set(place, by === 'form' ? app.clientSecret : toBasic(app))] : [],
    }),
  }),
  unknownCode: rule({
    id: 'oauth.invalid-grant.unknown-code',
    code: 'invalid_grant',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'documented',
    says: 'code is the one from the redirect.',
    message: () =>
      'This authorization code was never issued here. Send the code from the redirect unchanged, percent-decoded once.',
    fix: again,
  }),
  otherClient: rule<{ owner: Known }>({
    id: 'oauth.invalid-grant.other-client',
    code: 'invalid_grant',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'The specification does not say it; RFC 6749 section 4.1.3 does.',
    says: 'The code was issued to the app that exchanges it.',
    message: () => 'This authorization code was issued to another app.',
    fix: again,
  }),
  usedCode: rule<{ at: string }>({
    id: 'oauth.invalid-grant.used-code',
    code: 'invalid_grant',
    status: 400,
    section: '5, OAuth 2.0 flow, 5',
    provenance: 'assumed',
    reason: 'The specification does not say it; RFC 6749 section 4.1.2 does.',
    says: 'A code can be exchanged once; sending it again revokes its token (RFC 6749 section 4.1.2).',
    message: ({ at }) =>
      `This authorization code was already exchanged, at ${at}. A code works once; as it may have been stolen, its access token was revoked.`,
    fix: again,
    facts: ({ at }) => ({ at }),
  }),
  expiredCode: rule<{ at: string }>({
    id: 'oauth.invalid-grant.expired-code',
    code: 'invalid_grant',
    status: 400,
    section: '8',
    provenance: 'documented',
    says: 'The code expires after two minutes if unused.',
    message: ({ at }) => `This authorization code expired at ${at}, two minutes after it was issued.`,
    fix: again,
    facts: ({ at }) => ({ at }),
  }),
  otherRedirect: rule<{ used: string; sent: string }>({
    id: 'oauth.invalid-grant.redirect-uri',
    code: 'invalid_grant',
    status: 400,
    section: '5, OAuth 2.0 flow, 2',
    provenance: 'documented',
    says: 'The redirect URI must be reused in the token call.',
    message: ({ used, sent }) =>
      `The redirect_uri ${show(sent)} differs from the one of the install call, ${show(used)}. Send exactly that one.`,
    fix: ({ used }, place) => ({ say: 'Send the redirect URI of the install call.', edits: [set(place, used)] }),
  }),
} as const;

function again() {
  return { say: 'Send the user to the install page again, and exchange the new code.', edits: [] };
}

/** An app by its name, and by its client_id, as names need not be unique. */
const nameOf = ({ name, clientId }: NonNullable<Known>): string => `${show(name)}, ${clientId ?? ''}`;

function toBasic({ clientId, clientSecret }: NonNullable<Known>): string {
  const text = [clientId ?? '', clientSecret ?? ''].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

import type { Sandbox } from '../support/sandbox.ts';
import { consent, demoApp, openConsent } from '../support/oauth.ts';
import type { Violation } from './violation.ts';

const token = { method: 'POST', path: '/authorization-codes/tokens', key: null };
const form = { grant_type: 'authorization_code', code: 'x', ...demoApp };
const exchange = async (sandbox: Sandbox, change: Readonly<Record<string, string>> = {}) => ({
  form: { ...form, code: await consent(sandbox), ...change },
});
const again = 'a new code needs the consent of a person';

export const oauthViolations: readonly Violation[] = [
  {
    rule: 'body.utf-8',
    request: { ...token, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    before: async (sandbox) => {
      const { form: fields } = await exchange(sandbox);
      return { raw: Buffer.from(`${new URLSearchParams(fields)}&state=café`, 'latin1') };
    },
  },
  {
    rule: 'install.client-id',
    request: {
      method: 'GET',
      path: '/integrations/oauth-install',
      key: null,
      query: { client_id: 'nobody', redirect_uri: demoApp.redirect_uri },
    },
  },
  {
    rule: 'install.redirect-uri',
    request: {
      method: 'GET',
      path: '/integrations/oauth-install',
      key: null,
      query: { client_id: demoApp.client_id, redirect_uri: 'http://localhost:3000/callback/' },
    },
  },
  {
    rule: 'install.scope',
    request: {
      method: 'GET',
      path: '/integrations/oauth-install',
      key: null,
      query: { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri, scope: 'webhook:write' },
    },
  },
  {
    rule: 'install.scope',
    request: {
      method: 'GET',
      path: '/integrations/oauth-install',
      key: null,
      query: { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri, scope: 'events:read' },
    },
    noEdit: 'no scope of the app is meant',
  },
  {
    rule: 'install.consent-token',
    request: {
      method: 'POST',
      path: '/integrations/oauth-install',
      key: null,
      form: { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri, decision: 'approve', company_id: 'x' },
    },
    noEdit: 'consent is given on the page only',
  },
  {
    rule: 'install.company',
    request: { method: 'POST', path: '/integrations/oauth-install', key: null },
    before: async (sandbox) => {
      const { fields, cookie } = await openConsent(sandbox);
      return { form: { ...fields, decision: 'approve', company_id: 'MDc6Q29tcGFueTk5' }, headers: { cookie } };
    },
  },
  {
    rule: 'oauth.invalid-request.missing',
    request: { ...token, form: { grant_type: 'authorization_code' } },
    noEdit: 'Only the redirect has the code.',
  },
  { rule: 'oauth.invalid-request.missing', request: { ...token, form: { code: 'x' } } },
  {
    rule: 'oauth.invalid-request.repeated',
    request: {
      ...token,
      raw: `${new URLSearchParams(form)}&code=y`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  },
  {
    rule: 'oauth.invalid-request.other-client-id',
    request: token,
    before: async (sandbox) => {
      const { code, redirect_uri } = (await exchange(sandbox)).form;
      const basic = Buffer.from(`${demoApp.client_id}:${demoApp.client_secret}`).toString('base64');
      return {
        headers: { authorization: `Basic ${basic}` },
        form: { grant_type: 'authorization_code', code, redirect_uri, client_id: 'other-client' },
      };
    },
  },
  { rule: 'oauth.unsupported-grant-type', request: { ...token, form: { ...form, grant_type: 'client_credentials' } } },
  { rule: 'oauth.invalid-client.unknown', request: { ...token, form: { ...form, client_id: 'nobody' } } },
  { rule: 'oauth.invalid-client.secret', request: { ...token, form: { ...form, client_secret: 'guess' } } },
  { rule: 'oauth.invalid-grant.unknown-code', request: { ...token, form }, noEdit: again },
  {
    rule: 'oauth.invalid-grant.other-client',
    request: token,
    before: async (sandbox) => {
      const { store } = sandbox.emulator.deps;
      const demo = [...store.apps.all()].find(({ clientId }) => clientId === demoApp.client_id);
      if (!demo) throw new Error('The demo world has no public app.');
      store.transact(() =>
        store.apps.put({ ...demo, id: 'other', clientId: 'other-client', clientSecret: 'other-secret' }),
      );
      return exchange(sandbox, { client_id: 'other-client', client_secret: 'other-secret' });
    },
    noEdit: again,
  },
  {
    rule: 'oauth.invalid-grant.used-code',
    request: token,
    before: async (sandbox) => {
      const request = await exchange(sandbox);
      await sandbox.call('POST', token.path, { key: null, ...request });
      // The first repetition revokes the token; from the second on a refusal changes nothing, like any other.
      await sandbox.call('POST', token.path, { key: null, ...request });
      return request;
    },
    noEdit: again,
  },
  {
    rule: 'oauth.invalid-grant.expired-code',
    request: token,
    before: async (sandbox) => {
      const request = await exchange(sandbox);
      await sandbox.emulator.deps.clock.advance(2 * 60_000);
      return request;
    },
    noEdit: again,
  },
  {
    rule: 'oauth.invalid-grant.redirect-uri',
    request: token,
    before: (sandbox) => exchange(sandbox, { redirect_uri: 'http://localhost:3001/callback' }),
  },
];

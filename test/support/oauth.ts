import { unescapeHtml } from '../../emulator/contract/html.ts';
import type { Answer, Sandbox } from './sandbox.ts';

/** The demo world's public app, as form fields. */
export const demoApp = {
  client_id: 'sandpiper-demo-client',
  client_secret: 'sandpiper-demo-secret',
  redirect_uri: 'http://localhost:3000/callback',
};

export interface ConsentPage {
  readonly answer: Answer;
  /** The hidden fields of the form. */
  readonly fields: Readonly<Record<string, string>>;
  /** Company id by name. */
  readonly companies: Readonly<Record<string, string>>;
  readonly cookie: string;
}

/** Opens the install page as a browser does. */
export async function openConsent(
  sandbox: Sandbox,
  query: Readonly<Record<string, string>> = {},
): Promise<ConsentPage> {
  const answer = await sandbox.call('GET', '/integrations/oauth-install', {
    key: null,
    query: { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri, ...query },
  });
  const fields = [...answer.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, unescapeHtml(value)],
  );
  const companies = [...answer.text.matchAll(/name="company_id" value="([^"]+)"[^>]*>([^<]+)</g)].map(
    ([, id, name]) => [name, id],
  );
  return {
    answer,
    fields: Object.fromEntries(fields) as Record<string, string>,
    companies: Object.fromEntries(companies) as Record<string, string>,
    cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  };
}

/** Decides on an opened page, as the browser's form does. */
export function decide(
  sandbox: Sandbox,
  { fields, companies, cookie }: ConsentPage,
  decision: 'approve' | 'deny',
  company = 'Sandpiper Supply Co.',
): Promise<Answer> {
  return sandbox.call('POST', '/integrations/oauth-install', {
    key: null,
    headers: { cookie, origin: sandbox.emulator.authUrl, 'sec-fetch-site': 'same-origin' },
    form: { ...fields, decision, company_id: companies[company] ?? '' },
  });
}

/** Approves an installation, and returns the code in the redirect. */
export async function consent(
  sandbox: Sandbox,
  query: Readonly<Record<string, string>> = {},
  company?: string,
): Promise<string> {
  const answer = await decide(sandbox, await openConsent(sandbox, query), 'approve', company);
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

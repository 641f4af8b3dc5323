import type { Draft } from '../../http-text/apply-fix.ts';
import { reveal, sendDraft } from '../../live/backend/send.ts';
import type { RequestView } from '../../../emulator/control/calls.ts';

const installPath = '/integrations/oauth-install';

/**
 * Gets a fresh authorization code in the way of the install page: opens the page, approves for the first company, and
 * reads the code from the address to which the browser would be redirected.
 * @throws Error with the page's own sentence if it refuses
 */
export async function getCode({ clientId, redirectUri }: { clientId: string; redirectUri: string }): Promise<string> {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri }).toString();
  const opened = await send({
    method: 'GET',
    url: `${installPath}?${query}`,
    headers: [['accept', 'text/html']],
    body: null,
  });
  if (opened.status !== 200) throw new Error(opened.refusal?.message ?? `The install page answered ${opened.status}.`);
  // The page is parsed but never shown, so nothing in it runs. Our policy would report its styles, so remove them.
  const html = (opened.response.body?.data ?? '').replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/gi, '');
  const page = new DOMParser().parseFromString(html, 'text/html');
  const fields = new URLSearchParams({ decision: 'approve' });
  for (const input of page.querySelectorAll<HTMLInputElement>('input[type="hidden"]'))
    fields.set(input.name, input.value);
  const company = page.querySelector<HTMLInputElement | HTMLOptionElement>('[name="company_id"]');
  if (company) fields.set('company_id', company.value);
  const decided = await send({
    method: 'POST',
    url: installPath,
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['cookie', (opened.response.headers['set-cookie'] ?? '').split(';')[0] ?? ''],
    ],
    body: { encoding: 'utf8', data: fields.toString() },
  });
  const location = decided.response.headers['location'] ?? '';
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
  if (code === null)
    throw new Error(decided.refusal?.message ?? `The install page answered ${decided.status}, without a code.`);
  return code;
}

async function send(draft: Draft): Promise<RequestView> {
  const { requestId } = await sendDraft(draft);
  if (requestId === null) throw new Error('The install page did not answer.');
  return reveal(requestId);
}

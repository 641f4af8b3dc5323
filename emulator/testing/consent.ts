import { text as readText } from 'node:stream/consumers';
import { unescapeHtml } from '../contract/html.ts';
import { isUrl } from '../contract/url.ts';
import { ask, type Received } from '../control/client/ask.ts';
import { UserError } from '../errors.ts';
import { checkFields, checkValue, text, type Expected } from './checks.ts';

const address = {
  takes: 'the address of the install page, or one that leads there',
  fits: (value: unknown) => typeof value === 'string' && isUrl(value),
} satisfies Expected;

const truth: Expected = { takes: 'true or false', fits: (value) => typeof value === 'boolean' };

/**
 * Does what a person's browser does on the install page: opens it, chooses the company and decides.
 * @param installUrl the page's address, or one that redirects there, such as the app's own start page
 * @returns the address to which the browser is then redirected: the app's callback with `code` and `state`, or with
 * `error`
 * @throws UserError if no install page is shown, if the company is not on it, or for an invalid decision
 */
export async function decideInstall(
  authUrl: string,
  installUrl: string,
  decision: { readonly company?: string; readonly approve?: boolean } = {},
): Promise<string> {
  checkValue('installUrl of decideInstall', installUrl, address);
  checkFields('the decision of decideInstall', decision, { company: text, approve: truth });
  const { company, approve = true } = decision;
  // The sandbox has several host names: localhost, 127.0.0.1.
  const isInstallPage = (url: string): boolean => {
    const { port, pathname } = new URL(url);
    return port === new URL(authUrl).port && pathname === '/integrations/oauth-install';
  };
  const { url, shown, leadsTo } = await followTo(isInstallPage, installUrl);
  // The installation is refused, with `error` in the callback: the browser goes there without a decision.
  if (leadsTo !== null && isInstallPage(url)) return leadsTo;
  const page = await readText(shown.body);
  if (!isInstallPage(url))
    throw new UserError(`${installUrl} leads to ${url}, which is not the install page of this sandbox.`);
  if (shown.status !== 200) throw new UserError(`The install page was refused with ${shown.status}: ${toText(page)}`);

  const companies = [...page.matchAll(/name="company_id" value="([^"]+)"[^>]*>([^<]+)</g)].map(
    ([, id = '', name = '']) => ({ id: unescapeHtml(id), name: unescapeHtml(name) }),
  );
  const chosen = company === undefined ? companies[0] : companies.find((one) => [one.id, one.name].includes(company));
  if (!chosen)
    throw new UserError(
      `The install page offers no company "${company}", but ${companies.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  const hidden = [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, unescapeHtml(value)] as [string, string],
  );
  const answer = await ask(`${authUrl}/integrations/oauth-install`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: (shown.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      origin: authUrl,
      'sec-fetch-site': 'same-origin',
    },
    body: String(
      new URLSearchParams([...hidden, ['company_id', chosen.id], ['decision', approve ? 'approve' : 'deny']]),
    ),
  });
  const location = answer.headers.get('location');
  const refused = await readText(answer.body);
  if (location === null) throw new UserError(`The install page answered ${answer.status}: ${toText(refused)}`);
  return location;
}

/** How many redirects are followed, as browsers do. */
const mostRedirects = 20;

/**
 * Follows the redirects from an address until a URL is the last.
 * @returns the reply of that URL, and the address to which it redirects; null if it does not redirect
 */
async function followTo(
  isLast: (url: string) => boolean,
  first: string,
): Promise<{ readonly url: string; readonly shown: Received; readonly leadsTo: string | null }> {
  let url = new URL(first).href;
  for (let count = 0; ; count += 1) {
    const shown = await ask(url).catch(() => {
      throw new UserError(`Nothing answers at ${first}, or where it leads. Give ${address.takes}.`);
    });
    const location = shown.status >= 300 && shown.status < 400 ? shown.headers.get('location') : null;
    if (location === null) return { url, shown, leadsTo: null };
    shown.body.destroy();
    const leadsTo = new URL(location, url).href;
    if (isLast(url) || count === mostRedirects) return { url, shown, leadsTo };
    url = leadsTo;
  }
}

function toText(html: string): string {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? html;
  return unescapeHtml(main.replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}

import type { Endpoint } from '../../http/endpoint.ts';
import { exchangeCode } from './token.ts';

export { createInstallEndpoints } from './install.ts';
export { allOauthRules } from './rules.ts';

/** The operations of this group below `{base_url}`; the install page is on the server's root. */
export const oauthEndpoints: readonly Endpoint[] = [exchangeCode];

import { publicSecrets } from '../demo.ts';
import type { Urls } from '../deps.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { StepWatch } from './first-steps.ts';
import type { Store } from '../store/store.ts';
import type { WelcomeView } from './protocol.ts';

/** What a first start shows: where to point an app, and the demo world's keys, which are public. */
export function createWelcomeRoutes({
  store,
  urls,
  steps,
}: {
  store: Store;
  urls: Urls;
  steps: StepWatch;
}): readonly Endpoint[] {
  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/welcome',
      summary: 'The addresses, the keys of the demo world that are still valid, and the companies',
      replies: { 200: { type: 'object' } },
      handle() {
        const keys = [...store.credentials.all()].filter(
          ({ secret, revokedAt }) => revokedAt === null && publicSecrets.includes(secret),
        );
        const view: WelcomeView = {
          apiUrl: urls.api,
          authUrl: urls.auth,
          companies: [...store.companies.all()].map(({ id, name }) => ({ id, name })),
          demoKeys: keys.map(({ secret, appId, companyId, scopes }) => ({
            key: secret,
            app: store.apps.get(appId)?.name ?? '',
            company: store.companies.get(companyId)?.name ?? '',
            scopes,
          })),
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/first-steps',
      summary: 'When each of the first steps was seen done, since the start or the last reset; null where it was not',
      replies: { 200: { type: 'object' } },
      handle: () => ({ status: 200, body: { ...steps.read() } }),
    }),
  ];
}

import { clientKeysOf, publicSecrets } from '../declared-world/demo.ts';
import { shownClock } from '../delivery/headers.ts';
import { deliverySettings } from '../delivery/settings.ts';
import type { Store } from '../store/store.ts';
import { readAllowedHosts } from '../http/allowed-hosts.ts';
import { isDefaultDataDir } from '../options.ts';
import { toIso } from '../time/clock.ts';
import { keptFilesBytes } from '../features/catalog/files.ts';
import { codeLimit } from '../features/offers/rules.ts';
import { spans } from '../time/pace.ts';
import { toKind } from '../records/kind.ts';
import type { WelcomeView, statusCalls } from './contract/status.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers for what the emulator is, how it was started, and what the developer should know about it. */
export function createStatusHandlers(deps: HandlerDeps): Handlers<typeof statusCalls> {
  const { store, world, clock, recorder, urls, steps, ownErrors, version, options } = deps;
  const portOf = (url: string): number => Number(new URL(url).port);

  return {
    'GET /control/health': () => ({
      ready: true,
      version,
      apiUrl: urls.api,
      authUrl: urls.auth,
      now: toIso(clock.now()),
      clock: clock.mode(),
      dataDir: store.dataDir,
      isDefaultDataDir: isDefaultDataDir(store.dataDir),
      world: world.id(),
      requests: { kept: recorder.size, dropped: recorder.dropped },
      records: Object.fromEntries(store.names.map((name) => [toKind(name), store.collection(name).size])),
      notices: store.notices,
    }),
    'GET /control/welcome': () => ({
      apiUrl: urls.api,
      authUrl: urls.auth,
      companies: store.companies.records().map(({ id, name }) => ({ id, name })),
      demoKeys: demoKeysOf(store),
    }),
    'GET /control/client-keys': () => clientKeysOf(store),
    'GET /control/first-steps': () => steps.read(),
    'GET /control/settings'() {
      const { host, allowHosts, publicUrl, publicInspectorUrl, seed, world, pace, rateLimits, choices, record } =
        options;
      const { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs } = deliverySettings;
      return {
        start: {
          port: portOf(urls.local.auth),
          inspectorPort: portOf(urls.local.inspector),
          host,
          allowHosts,
          publicUrl,
          publicInspectorUrl,
          dataDir: store.dataDir,
          seed,
          world: typeof world === 'string' ? world : null,
          pace,
          rateLimits,
          choices,
          record,
        },
        allowedHosts: readAllowedHosts(store),
        webhookTime: shownClock(store),
        delivery: { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs },
        spans: {
          authorizationCodeMs: spans.authorizationCode,
          uploadLinkMs: spans.uploadLink,
          journeysMs: spans.journeys,
        },
        limits: { codesAtOnce: codeLimit, keptFilesBytes },
      };
    },
    'GET /control/notices': () => ({ notices: store.platformNotices.records() }),
    'GET /control/own-errors': () => ({ errors: ownErrors.all() }),
    'DELETE /control/own-errors'() {
      ownErrors.clear();
      return null;
    },
  };
}

function demoKeysOf(store: Store): WelcomeView['demoKeys'] {
  const keys = store.credentials
    .records()
    .filter(({ secret, revokedAt }) => revokedAt === null && publicSecrets.includes(secret));
  return keys.map(({ secret, appId, companyId, scopes }) => ({
    key: secret,
    app: store.apps.get(appId)?.name ?? '',
    company: store.companies.get(companyId)?.name ?? '',
    companyId,
    scopes,
  }));
}

import { shownTimeSetting } from '../delivery/head.ts';
import { deliverySettings } from '../delivery/settings.ts';
import type { Urls } from '../deps.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { EmulatorOptions } from '../options.ts';
import { spans } from '../time/pace.ts';
import type { Store } from '../store/store.ts';
import type { SettingsView } from './protocol.ts';

export interface SettingsRouteDeps {
  readonly store: Store;
  readonly urls: Urls;
  /** As the emulator was started. */
  readonly options: Pick<
    EmulatorOptions,
    'host' | 'allowHosts' | 'seed' | 'pace' | 'rateLimits' | 'choices' | 'record'
  >;
}

/** What the settings are, beside those that have routes of their own (the clock, the pace, the limits). */
export function createSettingsRoutes({ store, urls, options }: SettingsRouteDeps): readonly Endpoint[] {
  const portOf = (url: string): number => Number(new URL(url).port);

  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/settings',
      summary: 'What was chosen at the start, which clock webhooks show, and how long things last',
      replies: { 200: { type: 'object' } },
      handle() {
        const { host, allowHosts, seed, pace, rateLimits, choices, record } = options;
        const { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs } = deliverySettings;
        const view: SettingsView = {
          start: {
            port: portOf(urls.auth),
            inspectorPort: portOf(urls.inspector),
            host,
            allowHosts,
            dataDir: store.dataDir,
            seed,
            pace,
            rateLimits,
            choices,
            record,
          },
          webhookTime: store.settings.get(shownTimeSetting)?.value === 'virtual' ? 'virtual' : 'wall',
          delivery: { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs },
          spans: {
            authorizationCodeMs: spans.authorizationCode,
            uploadLinkMs: spans.uploadLink,
            journeysMs: spans.journeys,
          },
        };
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}

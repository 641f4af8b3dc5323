/** What the shop must know: where the platform is, who the shop is there, and how it is reached itself. */
export interface ShopConfig {
  /** The platform's API, ends in /v1. */
  readonly baseUrl: string;
  /** The address of the platform's install page. */
  readonly authUrl: string;
  /** The key of the shop's own company, which then needs no installation; null for none. */
  readonly apiKey: string | null;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of the webhook, as the platform's settings page shows it. */
  readonly signingKey: string;
  /** The address that it listens on. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where installations and events are kept; null keeps them in memory. */
  readonly dataFile: string | null;
  /** How often a catalog upload is asked for its state, in milliseconds. */
  readonly pollMs: number;
}

/** Reads the configuration from environment variables; the error names the one that is missing. */
export function readConfig(env: { readonly [name: string]: string | undefined }): ShopConfig {
  const read = (name: string): string => {
    const value = env[name];
    if (value === undefined || value === '') throw new Error(`The variable ${name} is not set. README.md lists them.`);
    return value;
  };
  return {
    baseUrl: env['BASE_URL'] ?? 'https://api.attentivemobile.com/v1',
    authUrl: env['AUTH_URL'] ?? 'https://ui.attentivemobile.com',
    apiKey: env['API_KEY'] ?? null,
    clientId: read('CLIENT_ID'),
    clientSecret: read('CLIENT_SECRET'),
    signingKey: read('WEBHOOK_SIGNING_KEY'),
    host: env['HOST'] ?? '127.0.0.1',
    port: Number(env['PORT'] ?? 3000),
    dataFile: env['DATA_FILE'] ?? null,
    pollMs: Number(env['CATALOG_POLL_MS'] ?? 10_000),
  };
}

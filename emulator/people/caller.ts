import type { App, Credential, Webhook } from '../records.ts';

/** A credential, with the app and the company that it belongs to. */
export interface Identity {
  readonly companyId: string;
  readonly credential: Credential;
  readonly app: App;
}

/** The caller of an authenticated operation. */
export interface Caller extends Identity {
  /** The request of the call: addresses learned from it name it as their source. */
  readonly request: { readonly id: string | null; readonly operation: string };
}

/** Whether a webhook is the caller's: made by its app for its company. An app sees no others (assumed). */
export function ownsWebhook({ companyId, app }: Caller, webhook: Webhook): boolean {
  return webhook.companyId === companyId && webhook.appId === app.id;
}

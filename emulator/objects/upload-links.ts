import { toDirectUrl, type Urls } from '../net/urls.ts';
import { randomSecret } from '../ids.ts';
import { presign } from './presign.ts';
import type { Store } from '../store/store.ts';

/** Signs the URLs to which catalog files are sent (section 2.2, uploadUrl). */
export interface UploadLinks {
  /** The secret of the signatures. Before the first URL there is none, and no signature is valid. */
  secret(): string;
  /**
   * The pre-signed URL of an upload.
   * @param expiresAt epoch milliseconds on the virtual clock
   * @param host the Host header of the request, so that its sender can use the URL; without it, the public URL is
   *   used
   */
  sign(uploadId: string, expiresAt: number, host?: string): string;
}

const settingId = 'upload-link-secret';

/** Creates the signer over a store. */
export function createUploadLinks({ store, urls }: { store: Store; urls: Urls }): UploadLinks {
  const stored = (): string | undefined => store.settings.get(settingId)?.value as string | undefined;
  // Stored, so that a URL survives a restart.
  const make = (): string =>
    store.transact(() => store.settings.put({ id: settingId, value: randomSecret(32) })).result.value as string;
  return {
    secret: () => stored() ?? randomSecret(32),
    sign: (uploadId, expiresAt, host) =>
      presign({
        baseUrl: (host ? toDirectUrl(host, urls) : null) ?? urls.auth,
        key: `catalog/${uploadId}.ndjson`,
        method: 'PUT',
        expiresAt,
        secret: stored() ?? make(),
      }),
  };
}

import type { Urls } from '../deps.ts';
import { randomSecret } from '../ids.ts';
import { presign } from './presign.ts';
import type { Store } from '../store/store.ts';

/** Signs the links to which catalog files are sent (section 2.2, uploadUrl). */
export interface UploadLinks {
  /** The secret of the signatures; it is stored, so that a link outlives a restart. */
  secret(): string;
  /** The pre-signed URL of an upload; `expiresAt` in epoch milliseconds on the virtual clock. */
  sign(uploadId: string, expiresAt: number): string;
}

const settingId = 'upload-link-secret';

/** Creates the signer over a store. */
export function createUploadLinks({ store, urls }: { store: Store; urls: Urls }): UploadLinks {
  const secret = (): string => {
    const known = store.settings.get(settingId);
    if (known) return known.value as string;
    return store.transact(() => store.settings.put({ id: settingId, value: randomSecret(32) })).result.value as string;
  };
  return {
    secret,
    sign: (uploadId, expiresAt) =>
      presign({ baseUrl: urls.auth, key: `catalog/${uploadId}.ndjson`, method: 'PUT', expiresAt, secret: secret() }),
  };
}

import { publicSecrets } from '../../declared-world/demo.ts';
import { toTail } from '../../records/secrets.ts';
import { secretsOfStore } from '../../world/secrets.ts';
import type { Store } from '../../store/store.ts';
import { mapCredentials, mapSecretValues, namesSecret } from '../../contract/secret-places.ts';

/** Removes secrets from data that is copied or exported. */
export interface Mask {
  /** False if everything stays as it is. */
  readonly hides: boolean;
  header(name: string, value: string): string;
  text(text: string): string;
}

/** For callers that asked for everything. */
export const noMask: Mask = { hides: false, header: (_name, value) => value, text: (text) => text };

/**
 * Creates a mask for the store's secrets wherever they occur, and for all values in places of secrets. Demo secrets are
 * public.
 */
export async function createMask(store: Store): Promise<Mask> {
  const secrets = await secretsOfStore(store);
  const known = secrets
    .filter((secret) => secret.length >= 6 && !publicSecrets.includes(secret))
    .flatMap((secret) => [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])])
    // Longest first, because a longer secret may contain a shorter one.
    .sort((one, other) => other.length - one.length);

  const text = (whole: string): string => {
    let masked = whole;
    for (const secret of known) if (masked.includes(secret)) masked = masked.replaceAll(secret, toTail(secret));
    return mapSecretValues(masked, unlessPublic);
  };

  return {
    hides: true,
    text,
    header(name, value) {
      return namesSecret(name) ? mapCredentials(value, unlessPublic) : text(value);
    },
  };
}

const unlessPublic = (secret: string): string => (publicSecrets.includes(secret) ? secret : toTail(secret));

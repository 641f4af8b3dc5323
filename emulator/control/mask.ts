import { publicSecrets } from '../demo.ts';
import { toTail } from '../records/secrets.ts';
import { secretsOfStore } from '../world/secrets.ts';
import type { Store } from '../store/store.ts';

/** Takes secrets out of what leaves this machine with somebody. */
export interface Mask {
  /** False where everything stays as it is. */
  readonly hides: boolean;
  header(name: string, value: string): string;
  text(text: string): string;
}

/** For whoever asked to see everything. */
export const noMask: Mask = { hides: false, header: (_name, value) => value, text: (text) => text };

/** Whether a header carries credentials, whatever they are. */
export function isSecretHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i.test(name);
}

/** The value of such a header, its credentials mapped; the scheme before them (`Bearer`) stays. */
export function mapCredentials(value: string, map: (secret: string) => string): string {
  const [, scheme = '', secret = ''] = /^([\w-]+ )?(.*)$/s.exec(value) ?? [];
  return scheme + map(secret);
}

const names = 'access_token|refresh_token|id_token|client_secret|signing_?key|secret|api_?key|csrf_token|password';
/** Where a secret stands that the store does not know, or no longer: in JSON (also inside a string), a form, a signed URL. */
const inJson = new RegExp(String.raw`(\\?"(?:${names})\\?"\s*:\s*\\?")((?:[^"\\]|\\[^"])+)`, 'gi');
const inForm = new RegExp(
  `((?:^|[?&;])(?:${names}|code|x-amz-(?:signature|credential|security-token))=)([^&\\s"'#]+)`,
  'gim',
);

/** Masks what the store holds as a secret, wherever it stands, and what stands where secrets stand. Demo secrets are public. */
export function createMask(store: Store): Mask {
  const known = secretsOfStore(store)
    .filter((secret) => secret.length >= 6 && !publicSecrets.includes(secret))
    .flatMap((secret) => [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])])
    // A longer one may hold a shorter one.
    .sort((one, other) => other.length - one.length);

  const text = (whole: string): string => {
    let masked = whole;
    for (const secret of known) if (masked.includes(secret)) masked = masked.replaceAll(secret, toTail(secret));
    return masked
      .replace(inJson, (_all, before: string, secret: string) => before + unlessPublic(secret))
      .replace(inForm, (_all, before: string, secret: string) => before + unlessPublic(secret));
  };

  return {
    hides: true,
    text,
    header(name, value) {
      return isSecretHeader(name) ? mapCredentials(value, unlessPublic) : text(value);
    },
  };
}

const unlessPublic = (secret: string): string =>
  publicSecrets.includes(secret) || secret.startsWith('…') ? secret : toTail(secret);

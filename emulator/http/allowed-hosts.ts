import { toPrivateHost } from '../net/private-host.ts';
import { allowedHostsSetting } from '../records/accounts.ts';
import type { Store } from '../store/store.ts';

/**
 * The Host names that were allowed while the emulator ran, for the API's port only (docs/security.md, Host, origin and
 * token). Each is checked again, because the state file can be edited.
 */
export function readAllowedHosts(store: Pick<Store, 'settings'>): readonly string[] {
  const value = store.settings.get(allowedHostsSetting)?.value;
  return Array.isArray(value) ? value.flatMap((one) => toPrivateHost(String(one)) ?? []) : [];
}

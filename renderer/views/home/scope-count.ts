import { scopes as allScopes } from '../../../emulator/http/scopes.ts';
import { counted } from '../../format.ts';

/** The number of scopes of a key, compared with the contract: `all scopes`, `3 scopes`. */
export function toScopes(scopes: readonly string[]): string {
  return scopes.length === allScopes.length ? 'all scopes' : counted(scopes.length, 'scope');
}

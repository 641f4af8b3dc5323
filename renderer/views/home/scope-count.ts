import { scopes as allScopes } from '../../../emulator/http/scopes.ts';
import { counted } from '../../format.ts';

/** `all scopes`, `3 scopes`: how many of those of the contract a key has. */
export function toScopes(scopes: readonly string[]): string {
  return scopes.length === allScopes.length ? 'all scopes' : counted(scopes.length, 'scope');
}

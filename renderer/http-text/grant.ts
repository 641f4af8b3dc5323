import { scopes, type Scope } from '../../emulator/http/scopes.ts';
import type { RefusalView } from '../../emulator/control/protocol.ts';

/** The scope that a refused request lacks, and the app that can be granted it. */
export interface Grant {
  readonly scope: Scope;
  readonly app: { readonly id: string; readonly name: string };
  readonly credentialId: string;
}

/** What a refusal for a missing scope asks to be granted; null for every other, and for one that an earlier version recorded. */
export function toGrant(refusal: RefusalView | null | undefined): Grant | null {
  if (refusal?.rule !== 'auth.scope') return null;
  const { needed, app, credentialId } = refusal.facts;
  const scope = scopes.find((one) => Array.isArray(needed) && needed[0] === one);
  if (scope === undefined || typeof credentialId !== 'string') return null;
  if (typeof app !== 'object' || app === null || !('id' in app) || !('name' in app)) return null;
  return { scope, app: { id: String(app.id), name: String(app.name) }, credentialId };
}

import { scopes, type Scope } from '../../emulator/http/scopes.ts';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { unitTypes, type UnitType } from './unit-types.ts';

/** A change at the cause that makes a refused request valid as it is. An undo takes it back. */
export type SourceFix =
  | {
      readonly kind: 'scope';
      readonly scope: Scope;
      readonly app: { readonly id: string; readonly name: string };
      readonly credentialId: string;
    }
  | { readonly kind: 'offer'; readonly offerId: string }
  | {
      readonly kind: 'unit';
      readonly companyId: string;
      readonly language: string;
      readonly country: string;
      readonly type: UnitType;
    }
  | { readonly kind: 'host'; readonly host: string };

/**
 * The change at the source for a refusal; null if there is none, or if an earlier version recorded the refusal.
 * @param companyId the company of the request's credential
 */
export function toSourceFix(refusal: RefusalView | null | undefined, companyId: string | null): SourceFix | null {
  switch (refusal?.rule) {
    case 'auth.scope':
      return toGrant(refusal.facts);
    case 'offers.uploads-disabled': {
      const { offer } = refusal.facts;
      return typeof offer === 'string' ? { kind: 'offer', offerId: offer } : null;
    }
    case 'subscriptions.one-unit':
      return companyId === null ? null : toUnit(refusal.facts, companyId);
    case 'request.host': {
      const { allow, here } = refusal.facts;
      return typeof allow === 'string' && here === true ? { kind: 'host', host: allow } : null;
    }
    default:
      return null;
  }
}

type Facts = RefusalView['facts'];

function toGrant({ needed, app, credentialId }: Facts): SourceFix | null {
  const scope = scopes.find((one) => Array.isArray(needed) && needed[0] === one);
  if (scope === undefined || typeof credentialId !== 'string') return null;
  if (typeof app !== 'object' || app === null || !('id' in app) || !('name' in app)) return null;
  return { kind: 'scope', scope, app: { id: String(app.id), name: String(app.name) }, credentialId };
}

/** Only if no unit matches: with several, the request has to choose one. */
function toUnit({ matching, language, country, type }: Facts, companyId: string): SourceFix | null {
  const known = unitTypes.find((one) => one === type);
  if (!Array.isArray(matching) || matching.length > 0 || known === undefined) return null;
  if (typeof language !== 'string' || typeof country !== 'string') return null;
  return { kind: 'unit', companyId, language, country, type: known };
}

interface Words {
  /** Why the request itself is right. */
  readonly because: string;
  readonly button: string;
  /** The message after the change, shown with its undo. */
  readonly done: string;
}

export function toWords(fix: SourceFix): Words {
  switch (fix.kind) {
    case 'scope':
      return {
        because: 'The request is right; its app lacks the scope.',
        button: 'Grant and replay',
        done: `Granted ${fix.scope} to “${fix.app.name}”`,
      };
    case 'offer':
      return {
        because: 'The request is right; the offer takes no codes from the API.',
        button: 'Enable and replay',
        done: `Enabled uploads for offer ${fix.offerId}`,
      };
    case 'unit':
      return {
        because: 'The request is right; the company has no sign-up unit for it.',
        button: 'Create and replay',
        done: `Created a sign-up unit for ${fix.language}-${fix.country} ${fix.type}`,
      };
    case 'host':
      return {
        because: 'The request is right; the API does not answer to this name.',
        button: `Allow ${fix.host}`,
        done: `Allowed the host ${fix.host}`,
      };
  }
}

import { computed, type ComputedRef } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { scopes, type Scope } from '../../../emulator/http/scopes.ts';
import { useRequests } from '../../live/requests.ts';
import type { Operation } from './apps.ts';

/** The purposes of scopes, in display order. */
const purposes: { readonly [purpose: string]: RegExp } = {
  People: /^(?:subscriptions|identity|attributes):/,
  Events: /^(?:events|ecommerce):/,
  'Catalog and offers': /^(?:product_catalogs|offers):/,
  Privacy: /^privacy_requests:/,
  Segments: /^segments:/,
  Webhooks: /^webhooks:/,
};

/** A scope, the operations that it allows, and the recorded requests to them. */
export interface ScopeLine {
  readonly scope: Scope;
  readonly opens: readonly { readonly name: string; readonly summary: string; readonly count: number }[];
  /** The number of requests that the scope allowed. */
  readonly used: number;
  readonly lastUsed: RequestSummary | null;
  /** The number of requests refused because the app lacked the scope. */
  readonly refused: number;
  readonly lastRefused: RequestSummary | null;
}

export interface ScopeGroup {
  readonly purpose: string;
  readonly lines: readonly ScopeLine[];
}

/** The scopes in groups, with the listed requests of an app that used or lacked them. Follows new requests. */
export function useScopes(
  operations: () => readonly Operation[],
  credentialIds: () => ReadonlySet<string>,
): { readonly groups: ComputedRef<readonly ScopeGroup[]>; readonly calls: ComputedRef<readonly RequestSummary[]> } {
  const requests = useRequests();
  const calls = computed(() => {
    const ids = credentialIds();
    return requests.rows.filter(({ credentialId }) => credentialId !== null && ids.has(credentialId));
  });

  function toLine(scope: Scope): ScopeLine {
    const opened = operations().filter((one) => one.scope === scope);
    const names = new Set(opened.map(({ name }) => name));
    const mine = calls.value.filter(({ operation }) => operation !== null && names.has(operation));
    const refused = mine.filter(({ rule }) => rule === 'auth.scope');
    const used = mine.filter(({ rule }) => rule !== 'auth.scope');
    return {
      scope,
      opens: opened.map(({ name, summary }) => ({
        name,
        summary,
        count: mine.filter(({ operation }) => operation === name).length,
      })),
      used: used.length,
      lastUsed: used.at(-1) ?? null,
      refused: refused.length,
      lastRefused: refused.at(-1) ?? null,
    };
  }

  const groups = computed(() =>
    Object.entries(purposes).map(([purpose, pattern]) => ({
      purpose,
      lines: scopes.filter((scope) => pattern.test(scope)).map(toLine),
    })),
  );
  return { groups, calls };
}

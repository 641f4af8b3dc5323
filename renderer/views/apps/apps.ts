import { shallowRef, type ShallowRef } from 'vue';
import { control } from '../../live/backend/control.ts';

/** An operation of the API and what it asks of its caller. */
export interface Operation {
  /** `POST /subscriptions`. */
  readonly name: string;
  readonly summary: string;
  /** Null where any key will do. */
  readonly scope: string | null;
}

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly summary?: string;
        readonly 'x-scope'?: string;
        readonly security?: readonly object[];
      };
    };
  };
}

/** The operations that need a key, as the contract has them. It never changes while the server runs. */
export function useOperations(): ShallowRef<readonly Operation[]> {
  const operations = shallowRef<readonly Operation[]>([]);
  async function read(): Promise<void> {
    const { paths } = await control<Document>('GET', 'openapi.json');
    operations.value = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { summary = '', 'x-scope': scope, security }]): Operation[] =>
        security?.length === 0 ? [] : [{ name: `${method.toUpperCase()} ${path}`, summary, scope: scope ?? null }],
      ),
    );
  }
  // The frame says that the server is away; the next visit reads it again.
  read().catch(() => {});
  return operations;
}

/** The scopes of section 5, in its order. */
export const allScopes: readonly string[] = [
  'events:write',
  'ecommerce:write',
  'subscriptions:write',
  'subscriptions:read',
  'attributes:write',
  'privacy_requests:write',
  'privacy_requests:read',
  'webhooks:write',
  'offers:write',
  'product_catalogs:write',
  'product_catalogs:read',
  'identity:write',
  'segments:write',
  'segments:read',
];

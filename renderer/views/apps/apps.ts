import { shallowRef, type ShallowRef } from 'vue';
import { readApiDocument } from '../../live/backend/api-document.ts';
import { useReading } from '../../live/reading.ts';

/** An operation of the API, and the scope that it needs. */
export interface Operation {
  /** `POST /subscriptions`. */
  readonly name: string;
  readonly summary: string;
  /** Null if any key works. */
  readonly scope: string | null;
}

/** The operations of the contract that need a key. The contract never changes while the server runs. */
export function useOperations(): ShallowRef<readonly Operation[]> {
  const operations = shallowRef<readonly Operation[]>([]);
  useReading({
    read: readApiDocument,
    show({ paths }) {
      operations.value = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { summary, 'x-scope': scope, security }]): Operation[] =>
          security?.length === 0 ? [] : [{ name: `${method.toUpperCase()} ${path}`, summary, scope: scope ?? null }],
        ),
      );
    },
  });
  return operations;
}
